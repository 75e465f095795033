#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/// The maximum depth of entities that refer to entities, as in libxml2.
enum { ENTITY_DEPTH = 40 };

/// The number of events between two readings of the clock.
enum { EVENTS_PER_CHECK = 64 };

/// The state of a parse: its input, its counters, and the original handlers of libxml2.
typedef struct {
    const clx_limits *limits;
    clx_error *error;
    xml_parser *parser;
    bool is_html;
    const uint8_t *bytes;
    size_t length;
    size_t position;
    int64_t depth;
    int64_t nodes;
    int64_t elements;
    int64_t entities;
    int64_t expansion;
    int64_t declared_attributes;
    /// The numbers of namespace declarations in scope and of each open element. The array is null if memory ran out.
    int64_t namespaces;
    int *namespaces_of_depth;
    /// Whether the last node is text, to which more text is appended.
    bool is_in_text;
    /// The 1-based position at which the internal subset starts; 0 outside of it.
    size_t subset_start;
    int events;
    int64_t end_time;
    xml_sax own;
} parse_state;

/// The current parse of this thread. Handlers receive only libxml2's context, which cannot store a pointer to it.
static _Thread_local parse_state *current;

/// Records the reason why the document is rejected, unless there was an earlier error.
static void refuse(clx_error_kind kind, const char *name) {
    if (current->error->kind != CLX_NONE) return;
    current->error->kind = kind;
    clx_copy(current->error->first, sizeof current->error->first, name);
}

/// Stops parsing. Only event handlers may call this, because it releases the input.
static void stop(void *context, clx_error_kind kind, const char *name) {
    refuse(kind, name);
    clx_lib.xmlStopParser(context);
}

static void on_error(void *context, const xml_error *error) {
    (void)context;
    if (current == NULL || error == NULL || current->error->kind != CLX_NONE) return;
    // Of the recoverable errors, only namespace errors make the document unusable.
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

// MARK: Time

/// Returns the CPU time of this thread in nanoseconds.
static int64_t processor_time(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) return 0;
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/// Returns whether the time limit is not exceeded and the caller still waits for the document.
static bool may_go_on(void) {
    if (current->error->kind != CLX_NONE) return false;
    if (processor_time() > current->end_time) {
        refuse(CLX_TIME, NULL);
    } else if (current->limits->is_given_up != NULL && current->limits->is_given_up()) {
        refuse(CLX_GIVEN_UP, NULL);
    }
    return current->error->kind == CLX_NONE;
}

/// Counts an event and the nodes that it creates.
static bool count_nodes(void *context, int64_t nodes) {
    if (current->error->kind != CLX_NONE) return false;
    current->nodes += nodes;
    if (current->nodes > current->limits->nodes) {
        stop(context, CLX_NODES, NULL);
        return false;
    }
    if (++current->events < EVENTS_PER_CHECK) return true;
    current->events = 0;
    if (may_go_on()) return true;
    clx_lib.xmlStopParser(context);
    return false;
}

// MARK: Elements

static bool enter(void *context, int64_t attributes, int64_t defaults, int64_t namespaces) {
    current->is_in_text = false;
    current->subset_start = 0;
    current->depth++;
    if (current->depth > current->limits->depth) {
        stop(context, CLX_DEPTH, NULL);
        return false;
    }
    if (++current->elements > current->limits->elements) {
        stop(context, CLX_ELEMENTS, NULL);
        return false;
    }
    current->namespaces_of_depth[current->depth] = (int)namespaces;
    current->namespaces += namespaces;
    if (attributes > current->limits->attributes || current->namespaces > current->limits->attributes) {
        stop(context, CLX_ATTRIBUTES, NULL);
        return false;
    }
    // libxml2 omits attributes with default values from the tree, but only after processing each of them.
    return count_nodes(context, 1 + attributes + defaults + namespaces);
}

static void leave(void) {
    current->is_in_text = false;
    if (current->depth <= 0) return;
    if (current->depth <= current->limits->depth) {
        current->namespaces -= current->namespaces_of_depth[current->depth];
    }
    current->depth--;
}

static void on_start_element_ns(
    void *context, const char *name, const char *prefix, const char *uri, int namespace_count, const char **namespaces,
    int attribute_count, int default_count, const char **attributes) {
    if (!enter(context, (int64_t)attribute_count - default_count, default_count, namespace_count)) return;
    current->own.start_element_ns(
        context, name, prefix, uri, namespace_count, namespaces, attribute_count, default_count, attributes);
}

static void on_end_element_ns(void *context, const char *name, const char *prefix, const char *uri) {
    leave();
    current->own.end_element_ns(context, name, prefix, uri);
}

static void on_start_element(void *context, const char *name, const char **attributes) {
    int64_t count = 0;
    for (const char **attribute = attributes; attribute != NULL && *attribute != NULL; attribute += 2) count++;
    if (enter(context, count, 0, 0)) current->own.start_element(context, name, attributes);
}

static void on_end_element(void *context, const char *name) {
    leave();
    current->own.end_element(context, name);
}

// MARK: Other nodes

/// Counts a piece of text. It is a new node unless it follows another piece of text.
static bool count_text(void *context) {
    bool is_new = !current->is_in_text;
    current->is_in_text = true;
    return count_nodes(context, is_new ? 1 : 0);
}

/// Counts a node without children.
static bool count_leaf(void *context) {
    current->is_in_text = false;
    return count_nodes(context, 1);
}

static void on_characters(void *context, const char *text, int length) {
    if (count_text(context)) current->own.characters(context, text, length);
}

static void on_ignorable_space(void *context, const char *text, int length) {
    if (count_text(context)) current->own.ignorable_space(context, text, length);
}

static void on_cdata(void *context, const char *text, int length) {
    if (count_leaf(context)) current->own.cdata(context, text, length);
}

static void on_comment(void *context, const char *text) {
    if (count_leaf(context)) current->own.comment(context, text);
}

static void on_processing_instruction(void *context, const char *target, const char *data) {
    if (count_leaf(context)) current->own.processing_instruction(context, target, data);
}

static void on_reference(void *context, const char *name) {
    if (count_leaf(context)) current->own.reference(context, name);
}

// MARK: Document type

static void on_internal_subset(void *context, const char *name, const char *external_id, const char *system_id) {
    current->subset_start = current->position + 1;
    current->own.internal_subset(context, name, external_id, system_id);
}

static void on_attribute_declaration(
    void *context, const char *element, const char *name, int kind, int default_kind, const char *default_value,
    void *values) {
    // Declarations with a default value are compared with each attribute of each such element.
    if (++current->declared_attributes > current->limits->attributes) stop(context, CLX_DOCUMENT_TYPE, NULL);
    current->own.attribute_declaration(context, element, name, kind, default_kind, default_value, values);
}

// MARK: Entities

static int64_t expanded_length(void *context, const char *text, size_t length, int depth);

/// Returns the length of an entity's replacement text, which is cached in the entity's field for applications.
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

/// Returns the length of a text with its references replaced, clamped to INT32_MAX.
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
            // A reference has a cost even if its entity is empty.
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
    if (current->error->kind != CLX_NONE) return false;
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

/// Returns whether the current start tag has far too many attributes, or too many namespaces are in scope.
///
/// Handlers receive attributes only after libxml2 has compared each pair of them, which takes hours if there are many.
static bool has_too_many_attributes(const parse_state *state) {
#if UINTPTR_MAX == UINT64_MAX
    int64_t limit = state->limits->attributes;
    // Both arrays grow to twice the required size.
    if (clx_lib.version < 21400 && state->is_html) return state->parser->attribute_capacity / 4 > limit + 100;
    if (clx_lib.version < 21200 && !state->is_html) {
        return state->parser->attribute_capacity / 10 > limit + 100 || state->parser->namespace_count / 2 > limit;
    }
#else
    (void)state;
#endif
    return false;
}

/// Passes the next bytes to the parser, which also requests them within a start tag or document type.
static int on_read(void *user, char *buffer, int capacity) {
    parse_state *state = user;
    if (capacity < 0 || !may_go_on()) return -1;
    if (has_too_many_attributes(state)) {
        refuse(CLX_ATTRIBUTES, NULL);
        return -1;
    }
    if (state->subset_start > 0 && (int64_t)(state->position + 1 - state->subset_start) > state->limits->subset) {
        refuse(CLX_DOCUMENT_TYPE, NULL);
        return -1;
    }
    size_t count = state->length - state->position;
    if (count > (size_t)capacity) count = (size_t)capacity;
    if (count > 0) memcpy(buffer, state->bytes + state->position, count);
    state->position += count;
    return (int)count;
}

static void take_over(xml_sax *sax, bool html) {
    if (sax->characters != NULL) sax->characters = on_characters;
    if (sax->ignorable_space != NULL) sax->ignorable_space = on_ignorable_space;
    if (sax->cdata != NULL) sax->cdata = on_cdata;
    if (sax->comment != NULL) sax->comment = on_comment;
    if (sax->processing_instruction != NULL) sax->processing_instruction = on_processing_instruction;
    if (sax->start_element != NULL) sax->start_element = on_start_element;
    if (sax->end_element != NULL) sax->end_element = on_end_element;
    if (html) return;
    if (sax->start_element_ns != NULL) sax->start_element_ns = on_start_element_ns;
    if (sax->end_element_ns != NULL) sax->end_element_ns = on_end_element_ns;
    if (sax->reference != NULL) sax->reference = on_reference;
    if (sax->internal_subset != NULL) sax->internal_subset = on_internal_subset;
    if (sax->attribute_declaration != NULL) sax->attribute_declaration = on_attribute_declaration;
    if (sax->get_entity != NULL) sax->get_entity = on_get_entity;
    if (sax->get_parameter_entity != NULL) sax->get_parameter_entity = on_get_parameter_entity;
    if (sax->entity_declaration != NULL) sax->entity_declaration = on_entity_declaration;
    sax->error = on_error;
}

clx_document *clx_parse(
    const uint8_t *bytes, size_t length, const char *encoding, bool html, const clx_limits *limits, clx_error *error) {
    memset(error, 0, sizeof *error);
    if (length > INT_MAX || limits->depth < 0 || limits->depth > INT16_MAX) return NULL;
    xml_parser *parser = html ? clx_lib.htmlNewParserCtxt() : clx_lib.xmlNewParserCtxt();
    if (parser == NULL) return NULL;
    parse_state state = {
        .limits = limits, .error = error, .parser = parser, .is_html = html, .bytes = bytes, .length = length,
        .own = *parser->sax};
    state.namespaces_of_depth = calloc((size_t)limits->depth + 1, sizeof(int));
    int64_t now = processor_time();
    state.end_time = limits->time > INT64_MAX - now ? INT64_MAX : now + limits->time;
    take_over(parser->sax, html);
    int options = XML_PARSE_NONET | XML_PARSE_NOWARNING;
    options |= html ? XML_PARSE_RECOVER | XML_PARSE_NOERROR : XML_PARSE_BIG_LINES;
    parse_state *outer = current;
    current = &state;
    // Some encoding errors have no context and would be printed.
    xml_generic_error_function printer = clx_set_printer(print_nothing);
    xml_doc *doc = NULL;
    if (state.namespaces_of_depth != NULL) {
        doc = html ? clx_lib.htmlCtxtReadIO(parser, on_read, NULL, &state, NULL, encoding, options)
                   : clx_lib.xmlCtxtReadIO(parser, on_read, NULL, &state, NULL, encoding, options);
    }
    clx_set_printer(printer);
    current = outer;
    free(state.namespaces_of_depth);
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
