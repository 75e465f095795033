#include "XPathReference.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static struct {
    void *(*xmlXPathNewContext)(void *);
    void (*xmlXPathFreeContext)(void *);
    int (*xmlXPathSetContextNode)(void *, void *);
    int (*xmlXPathRegisterNs)(void *, const char *, const char *);
    reference_value *(*xmlXPathEval)(const char *, void *);
    void (*xmlXPathFreeObject)(reference_value *);
    void (**(*__xmlGenericError)(void))(void *, const char *, ...);
} library;
static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libxml2.so.2", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) handle = dlopen("libxml2.so.16", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return;
#define RESOLVE(name)                                \
    do {                                             \
        void *symbol = dlsym(handle, #name);         \
        if (symbol == NULL) return;                  \
        memcpy(&library.name, &symbol, sizeof symbol); \
    } while (0)
    RESOLVE(xmlXPathNewContext);
    RESOLVE(xmlXPathFreeContext);
    RESOLVE(xmlXPathSetContextNode);
    RESOLVE(xmlXPathRegisterNs);
    RESOLVE(xmlXPathEval);
    RESOLVE(xmlXPathFreeObject);
    RESOLVE(__xmlGenericError);
#undef RESOLVE
    is_loaded = true;
}

static void print_nothing(void *context, const char *format, ...) {
    (void)context;
    (void)format;
}

reference_value *reference_evaluate(void *document, const char *expression, const char *prefix, const char *uri) {
    pthread_once(&once, load);
    if (!is_loaded) return NULL;
    *library.__xmlGenericError() = print_nothing;
    void *context = library.xmlXPathNewContext(document);
    if (context == NULL) return NULL;
    // Without a context node, relative paths select nothing.
    library.xmlXPathSetContextNode(document, context);
    library.xmlXPathRegisterNs(context, prefix, uri);
    reference_value *value = library.xmlXPathEval(expression, context);
    library.xmlXPathFreeContext(context);
    return value;
}

void reference_free(reference_value *value) { library.xmlXPathFreeObject(value); }
