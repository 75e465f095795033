#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

clx_library clx_lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_available = false;

static bool resolve(void *handle) {
    clx_library found;
    memset(&found, 0, sizeof found);
    // POSIX guarantees that the void pointer from dlsym can be copied to a function pointer.
#define RESOLVE(name)                          \
    do {                                       \
        void *symbol = dlsym(handle, #name);   \
        if (symbol == NULL) return false;      \
        memcpy(&found.name, &symbol, sizeof symbol); \
    } while (0)
    RESOLVE(xmlInitParser);
    RESOLVE(xmlNewParserCtxt);
    RESOLVE(xmlFreeParserCtxt);
    RESOLVE(xmlCtxtReadIO);
    RESOLVE(xmlStopParser);
    RESOLVE(htmlNewParserCtxt);
    RESOLVE(htmlFreeParserCtxt);
    RESOLVE(htmlCtxtReadIO);
    RESOLVE(xmlFreeDoc);
    RESOLVE(xmlGetDocEntity);
    RESOLVE(xmlGetLineNo);
    RESOLVE(xmlNodeGetContent);
    RESOLVE(xmlGetNodePath);
    RESOLVE(__xmlGenericError);
    RESOLVE(xmlFree);
    RESOLVE(xmlParserVersion);
#undef RESOLVE
    found.version = *found.xmlParserVersion == NULL ? 0 : strtol(*found.xmlParserVersion, NULL, 10);
    // The structure layouts are those of 2.9 and later.
    if (found.version < 20900) return false;
    clx_lib = found;
    return true;
}

static void load(void) {
    static const char *const names[] = {"libxml2.so.2", "libxml2.so.16", "libxml2.so", "libxml2.2.dylib"};
    for (size_t index = 0; index < sizeof names / sizeof *names && !is_available; index++) {
        void *handle = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
        if (handle == NULL) continue;
        if (resolve(handle)) {
            clx_lib.xmlInitParser();
            is_available = true;
        } else {
            dlclose(handle);
        }
    }
}

bool clx_is_available(void) {
    pthread_once(&once, load);
    return is_available;
}

xml_generic_error_function clx_set_printer(xml_generic_error_function printer) {
    xml_generic_error_function *place = clx_lib.__xmlGenericError();
    xml_generic_error_function before = *place;
    *place = printer;
    return before;
}

void clx_copy(char *target, size_t size, const char *source) {
    if (source == NULL) source = "";
    size_t length = strlen(source);
    if (length >= size) {
        length = size - 1;
        while (length > 0 && ((unsigned char)source[length] & 0xC0) == 0x80) length--;
    }
    memcpy(target, source, length);
    target[length] = 0;
}
