#include <stdio.h>
#include <string.h>

#include "library.h"

/// Where this thread's error goes that libxml2 reports without structure.
static _Thread_local clx_error *current;

static void on_error(void *user, const xml_error *error) {
    clx_error *target = user;
    if (target == NULL || error == NULL || target->kind != CLX_NONE) return;
    target->kind = CLX_LIBRARY;
    target->domain = error->domain;
    target->code = error->code;
    target->column = error->number1;
    // What was said without structure just before is more exact.
    if (target->message[0] == 0) clx_copy(target->message, sizeof target->message, error->message);
}

static void on_generic_error(void *context, const char *format, ...) {
    (void)context;
    if (current == NULL || current->message[0] != 0) return;
    va_list arguments;
    va_start(arguments, format);
    char message[sizeof current->message];
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    clx_copy(current->message, sizeof current->message, message);
}

/// Takes what the thread would print, until `end` with what this returned.
static xml_generic_error_function begin(clx_error *error) {
    memset(error, 0, sizeof *error);
    current = error;
    return clx_set_printer(on_generic_error);
}

static void end(xml_generic_error_function before) {
    clx_set_printer(before);
    current = NULL;
}

static xml_xpath_context *new_context(xml_doc *doc, unsigned long operations, clx_error *error) {
    xml_xpath_context *context = clx_lib.xmlXPathNewContext(doc);
    if (context == NULL) return NULL;
    context->error = on_error;
    context->error_data = error;
    if (clx_lib.version >= 20911) context->operation_limit = operations;
    return context;
}

clx_result *clx_xpath_evaluate(
    clx_document *document, const clx_node *node, const char *expression, const char *const *namespaces,
    size_t namespaceCount, unsigned long operations, clx_error *error) {
    xml_generic_error_function before = begin(error);
    xml_xpath_object *result = NULL;
    xml_xpath_context *context = new_context((xml_doc *)document, operations, error);
    if (context != NULL) {
        bool isReady = clx_lib.xmlXPathSetContextNode((xml_node *)node, context) == 0;
        for (size_t index = 0; index < namespaceCount && isReady; index++) {
            isReady =
                clx_lib.xmlXPathRegisterNs(context, namespaces[2 * index], namespaces[2 * index + 1]) == 0;
        }
        void *compiled = isReady ? clx_lib.xmlXPathCtxtCompile(context, expression) : NULL;
        if (compiled != NULL) {
            result = clx_lib.xmlXPathCompiledEval(compiled, context);
            clx_lib.xmlXPathFreeCompExpr(compiled);
        }
        clx_lib.xmlXPathFreeContext(context);
    }
    end(before);
    if (result != NULL && error->kind != CLX_NONE) {
        clx_lib.xmlXPathFreeObject(result);
        result = NULL;
    }
    return (clx_result *)result;
}

static const xml_xpath_object *object_of(const clx_result *result) { return (const xml_xpath_object *)result; }

void clx_result_free(clx_result *result) { clx_lib.xmlXPathFreeObject((xml_xpath_object *)result); }

int clx_result_type(const clx_result *result) { return object_of(result)->type; }

bool clx_result_boolean(const clx_result *result) { return object_of(result)->boolean != 0; }

double clx_result_number(const clx_result *result) { return object_of(result)->number; }

const char *clx_result_string(const clx_result *result) { return object_of(result)->string; }

size_t clx_result_count(const clx_result *result) {
    const xml_node_set *set = object_of(result)->nodes;
    return set == NULL || set->count < 0 ? 0 : (size_t)set->count;
}

const clx_node *clx_result_node(const clx_result *result, size_t index) {
    return index < clx_result_count(result) ? (const clx_node *)object_of(result)->nodes->nodes[index] : NULL;
}

const clx_namespace *clx_result_namespace(const clx_node *node) {
    // Both structures have their type second.
    return ((const xml_node *)node)->type == CLX_NAMESPACE ? (const clx_namespace *)node : NULL;
}
