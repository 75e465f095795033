#include <string.h>

#include "library.h"

static const xml_node *node_of(const clx_node *node) { return (const xml_node *)node; }

clx_node *clx_document_node(const clx_document *document) { return (clx_node *)document; }

const char *clx_document_version(const clx_document *document) { return ((const xml_doc *)document)->version; }

const char *clx_document_encoding(const clx_document *document) { return ((const xml_doc *)document)->encoding; }

const char *clx_document_type_name(const clx_document *document) {
    const xml_node *subset = ((const xml_doc *)document)->internal_subset;
    return subset == NULL ? NULL : subset->name;
}

int clx_node_type(const clx_node *node) { return node_of(node)->type; }

const char *clx_node_name(const clx_node *node) { return node_of(node)->name; }

/// Returns the namespace of an element or attribute; both structures have it at the same offset.
static const xml_ns *namespace_of(const clx_node *node) {
    int type = node_of(node)->type;
    return type == CLX_ELEMENT || type == CLX_ATTRIBUTE ? node_of(node)->ns : NULL;
}

const char *clx_node_prefix(const clx_node *node) {
    const xml_ns *space = namespace_of(node);
    return space == NULL ? NULL : space->prefix;
}

const char *clx_node_namespace(const clx_node *node) {
    const xml_ns *space = namespace_of(node);
    return space == NULL ? NULL : space->href;
}

const char *clx_node_content(const clx_node *node) {
    switch (node_of(node)->type) {
    case CLX_TEXT:
    case CLX_CDATA:
    case CLX_PROCESSING_INSTRUCTION:
    case CLX_COMMENT: return node_of(node)->content;
    default: return NULL;
    }
}

size_t clx_text_length(const char *text) { return strlen(text); }

const clx_node *clx_node_first_child(const clx_node *node) {
    switch (node_of(node)->type) {
    case CLX_ELEMENT:
    case CLX_ATTRIBUTE:
    case CLX_DOCUMENT:
    case CLX_HTML_DOCUMENT: return (const clx_node *)node_of(node)->children;
    default: return NULL;
    }
}

const clx_node *clx_node_next(const clx_node *node) { return (const clx_node *)node_of(node)->next; }

const clx_node *clx_node_parent(const clx_node *node) { return (const clx_node *)node_of(node)->parent; }

const clx_node *clx_node_first_attribute(const clx_node *node) {
    return node_of(node)->type == CLX_ELEMENT ? (const clx_node *)node_of(node)->properties : NULL;
}

const clx_namespace *clx_node_first_namespace(const clx_node *node) {
    return node_of(node)->type == CLX_ELEMENT ? (const clx_namespace *)node_of(node)->declarations : NULL;
}

long clx_node_line(const clx_node *node) {
    long line = clx_lib.xmlGetLineNo(node_of(node));
    return line < 0 ? 0 : line;
}

char *clx_node_string_value(const clx_node *node) { return clx_lib.xmlNodeGetContent(node_of(node)); }

char *clx_node_path(const clx_node *node) { return clx_lib.xmlGetNodePath(node_of(node)); }

bool clx_node_has_entity(const clx_node *reference) {
    enum { XML_INTERNAL_GENERAL_ENTITY = 1 };
    if (node_of(reference)->type != CLX_ENTITY_REFERENCE || node_of(reference)->doc == NULL) return false;
    const xml_entity *entity = clx_lib.xmlGetDocEntity(node_of(reference)->doc, node_of(reference)->name);
    return entity != NULL && entity->kind == XML_INTERNAL_GENERAL_ENTITY;
}

bool clx_node_is_id(const clx_node *node) {
    enum { XML_ATTRIBUTE_ID = 2 };
    return node_of(node)->type == CLX_ATTRIBUTE && ((const xml_attribute *)node)->kind == XML_ATTRIBUTE_ID;
}

void clx_string_free(char *string) {
    if (string != NULL) (*clx_lib.xmlFree)(string);
}

const clx_namespace *clx_namespace_next(const clx_namespace *declaration) {
    return (const clx_namespace *)((const xml_ns *)declaration)->next;
}

const char *clx_namespace_prefix(const clx_namespace *declaration) { return ((const xml_ns *)declaration)->prefix; }

const char *clx_namespace_uri(const clx_namespace *declaration) {
    const char *uri = ((const xml_ns *)declaration)->href;
    return uri == NULL || *uri == 0 ? NULL : uri;
}
