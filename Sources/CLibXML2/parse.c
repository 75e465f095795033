#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "library.h"

enum {
    XML_PARSE_RECOVER = 1 << 0,
    XML_PARSE_NOERROR = 1 << 5,
    XML_PARSE_NOWARNING = 1 << 6,
    XML_PARSE_NONET = 1 << 11,
    XML_PARSE_BIG_LINES = 1 << 22,
    XML_FROM_NAMESPACE = 3,
    XML_ERR_ERROR = 2,
    XML_ERR_FATAL = 3,
    XML_INTERNAL_GENERAL_ENTITY = 1,
};

/// Entities that refer to entities are followed so far, as libxml2 does.
enum { ENTITY_DEPTH = 40 };

/// What a parse in progress has met, and libxml2's own handlers.
typedef struct {
    const clx_limits *limits;
    clx_error *error;
    int64_t depth;
    int64_t nodes;
    int64_t entities;
    int64_t expansion;
    xml_sax own;
} parse_state;

/// The parse that this thread is in; handlers get libxml2's context, which has no room of ours at a known place.
static _Thread_local parse_state *current;

static void stop(void *context, clx_error_kind kind, const char *name) {
    if (current->error->kind == CLX_NONE) {
        current->error->kind = kind;
        clx_copy(current->error->first, sizeof current->error->first, name);
    }
    clx_lib.xmlStopParser(context);
}

static void on_error(void *context, const xml_error *error) {
    (void)context;
    if (current == NULL || error == NULL || current->error->kind != CLX_NONE) return;
    // Of the lesser errors only those of namespaces make the document unusable.
    if (error->level < XML_ERR_FATAL && !(error->domain == XML_FROM_NAMESPACE && error->level == XML_ERR_ERROR)) return;
    clx_error *target = current->error;
    target->kind = CLX_LIBRARY;
    target->domain = error->domain;
    target->code = error->code;
    target->line = error->line;
    target->column = error->number2;
    target->number = error->number1;
    clx_copy(target->message, sizeof target->message, error->message);
    clx_copy(target->first, sizeof target->first, error->string1);
    clx_copy(target->second, sizeof target->second, error->string2);
}

// MARK: Elements

static bool enter(void *context, int64_t nodes) {
    current->depth++;
    current->nodes += nodes;
    if (current->depth > current->limits->depth) {
        stop(context, CLX_DEPTH, NULL);
        return false;
    }
    if (current->nodes > current->limits->nodes) {
        stop(context, CLX_NODES, NULL);
        return false;
    }
    return true;
}

static void on_start_element_ns(
    void *context, const char *name, const char *prefix, const char *uri, int namespace_count, const char **namespaces,
    int attribute_count, int default_count, const char **attributes) {
    // libxml2 leaves attributes with default values out of the tree.
    if (!enter(context, 1 + (int64_t)attribute_count - default_count + namespace_count)) return;
    current->own.start_element_ns(
        context, name, prefix, uri, namespace_count, namespaces, attribute_count, default_count, attributes);
}

static void on_end_element_ns(void *context, const char *name, const char *prefix, const char *uri) {
    current->depth--;
    current->own.end_element_ns(context, name, prefix, uri);
}

static void on_start_element(void *context, const char *name, const char **attributes) {
    int64_t nodes = 1;
    for (const char **attribute = attributes; attribute != NULL && *attribute != NULL; attribute += 2) nodes++;
    if (enter(context, nodes)) current->own.start_element(context, name, attributes);
}

static void on_end_element(void *context, const char *name) {
    current->depth--;
    current->own.end_element(context, name);
}

// MARK: Entities

static int64_t expanded_length(void *context, const char *text, size_t length, int depth);

/// The length of the text that an entity stands for; it is kept in the entity, at the place meant for applications.
static int64_t entity_length(void *context, xml_entity *entity, int depth) {
    if (entity->content == NULL) return 0;
    if (entity->application != NULL) return (int64_t)(intptr_t)entity->application - 1;
    if (depth > ENTITY_DEPTH) {
        stop(context, CLX_ENTITY_LOOP, entity->name);
        return INT32_MAX;
    }
    int64_t length = expanded_length(context, entity->content, strlen(entity->content), depth + 1);
    entity->application = (void *)(intptr_t)(length + 1);
    return length;
}

/// The length of a text when its references are replaced; never more than INT32_MAX.
static int64_t expanded_length(void *context, const char *text, size_t length, int depth) {
    int64_t total = 0;
    size_t index = 0;
    while (index < length) {
        const char *start = memchr(text + index, '&', length - index);
        size_t literal = start == NULL ? length - index : (size_t)(start - text) - index;
        total += (int64_t)literal;
        index += literal;
        if (start != NULL) {
            const char *end = memchr(start, ';', length - index);
            char name[256];
            size_t count = end == NULL ? 0 : (size_t)(end - start) - 1;
            if (end != NULL && count > 0 && count < sizeof name && start[1] != '#') {
                memcpy(name, start + 1, count);
                name[count] = 0;
                xml_entity *entity = current->own.get_entity(context, name);
                if (entity != NULL) total += entity_length(context, entity, depth);
            }
            // A reference counts for something even if its entity is empty.
            total += 1;
            index = end == NULL ? length : (size_t)(end - text) + 1;
        }
        if (total > INT32_MAX) return INT32_MAX;
        if (current->error->kind != CLX_NONE) return INT32_MAX;
    }
    return total;
}

static bool count_expansion(void *context, int64_t length) {
    current->expansion += length;
    if (current->expansion <= current->limits->expansion) return true;
    stop(context, CLX_EXPANSION, NULL);
    return false;
}

static xml_entity *on_get_entity(void *context, const char *name) {
    xml_entity *entity = current->own.get_entity(context, name);
    if (entity == NULL || current->error->kind != CLX_NONE) return entity;
    return count_expansion(context, entity_length(context, entity, 0) + 1) ? entity : NULL;
}

static bool count_entity(void *context) {
    if (++current->entities <= current->limits->entities) return true;
    stop(context, CLX_ENTITIES, NULL);
    return false;
}

static xml_entity *on_get_parameter_entity(void *context, const char *name) {
    return count_entity(context) ? current->own.get_parameter_entity(context, name) : NULL;
}

static void on_entity_declaration(
    void *context, const char *name, int kind, const char *public_id, const char *system_id, char *content) {
    if (!count_entity(context)) return;
    if (kind == XML_INTERNAL_GENERAL_ENTITY && content != NULL && strchr(content, '<') != NULL) {
        stop(context, CLX_ENTITY_MARKUP, name);
        return;
    }
    current->own.entity_declaration(context, name, kind, public_id, system_id, content);
}

// MARK: Parsing

static void print_nothing(void *context, const char *format, ...) {
    (void)context;
    (void)format;
}

clx_document *clx_parse(
    const uint8_t *bytes, size_t length, const char *encoding, bool html, const clx_limits *limits, clx_error *error) {
    memset(error, 0, sizeof *error);
    if (length > INT_MAX) return NULL;
    xml_parser *parser = html ? clx_lib.htmlNewParserCtxt() : clx_lib.xmlNewParserCtxt();
    if (parser == NULL) return NULL;
    parse_state state = {.limits = limits, .error = error, .own = *parser->sax};
    xml_sax *sax = parser->sax;
    if (sax->start_element != NULL) sax->start_element = on_start_element;
    if (sax->end_element != NULL) sax->end_element = on_end_element;
    int options = XML_PARSE_NONET | XML_PARSE_NOWARNING;
    if (html) {
        options |= XML_PARSE_RECOVER | XML_PARSE_NOERROR;
    } else {
        options |= XML_PARSE_BIG_LINES;
        if (sax->start_element_ns != NULL) sax->start_element_ns = on_start_element_ns;
        if (sax->end_element_ns != NULL) sax->end_element_ns = on_end_element_ns;
        if (sax->get_entity != NULL) sax->get_entity = on_get_entity;
        if (sax->get_parameter_entity != NULL) sax->get_parameter_entity = on_get_parameter_entity;
        if (sax->entity_declaration != NULL) sax->entity_declaration = on_entity_declaration;
        sax->error = on_error;
    }
    parse_state *outer = current;
    current = &state;
    // Some errors of encodings know no context, and would be printed.
    xml_generic_error_function printer = clx_set_printer(print_nothing);
    const char *text = bytes == NULL ? "" : (const char *)bytes;
    xml_doc *doc = html ? clx_lib.htmlCtxtReadMemory(parser, text, (int)length, NULL, encoding, options)
                        : clx_lib.xmlCtxtReadMemory(parser, text, (int)length, NULL, encoding, options);
    clx_set_printer(printer);
    current = outer;
    if (html) {
        clx_lib.htmlFreeParserCtxt(parser);
    } else {
        clx_lib.xmlFreeParserCtxt(parser);
    }
    if (doc != NULL && error->kind != CLX_NONE) {
        clx_lib.xmlFreeDoc(doc);
        doc = NULL;
    }
    return (clx_document *)doc;
}

void clx_document_free(clx_document *document) { clx_lib.xmlFreeDoc((xml_doc *)document); }
