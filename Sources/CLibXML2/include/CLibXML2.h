#ifndef CLIBXML2_H
#define CLIBXML2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libxml2, loaded when it is first needed: nothing here needs it, or its headers, to build or to start.
// Every function but clx_is_available requires that clx_is_available has returned true.

/// A parsed document.
typedef struct clx_document clx_document;
/// A node of a document, or an attribute.
typedef struct clx_node clx_node;
/// A namespace declaration of an element.
typedef struct clx_namespace clx_namespace;

/// Why there is no document or value.
typedef enum {
    CLX_NONE = 0,
    /// An error of libxml2's, with its domain and code.
    CLX_LIBRARY,
    /// Elements are nested deeper than allowed.
    CLX_DEPTH,
    /// There are more nodes than allowed.
    CLX_NODES,
    /// There are more elements than allowed.
    CLX_ELEMENTS,
    /// An element has more attributes than allowed, or more namespaces are in scope.
    CLX_ATTRIBUTES,
    /// The document type has more declarations than allowed, or a longer internal subset.
    CLX_DOCUMENT_TYPE,
    /// Parsing takes more processor time than allowed.
    CLX_TIME,
    /// The caller has given the document up.
    CLX_GIVEN_UP,
    /// There are more entities than allowed.
    CLX_ENTITIES,
    /// References to entities stand for more than allowed.
    CLX_EXPANSION,
    /// An entity, named by `first`, stands for elements.
    CLX_ENTITY_MARKUP,
    /// An entity, named by `first`, refers to itself.
    CLX_ENTITY_LOOP,
} clx_error_kind;

/// The first error of a call; places are 0 where there is none.
typedef struct {
    clx_error_kind kind;
    int domain;
    int code;
    int line;
    /// From 1; in an XPath expression the number of bytes before the error.
    int column;
    int number;
    char message[512];
    char first[128];
    char second[128];
} clx_error;

/// The maximum demands of a document.
typedef struct {
    int64_t depth;
    int64_t nodes;
    int64_t elements;
    int64_t attributes;
    int64_t entities;
    int64_t expansion;
    /// The length of the document type's internal subset in bytes.
    int64_t subset;
    /// The processor time of parsing in nanoseconds.
    int64_t time;
    /// Whether the caller has given the document up; asked again and again by the thread that parses. May be null.
    bool (*is_given_up)(void);
} clx_limits;

/// The types of nodes that occur in documents, as libxml2 numbers them.
enum {
    CLX_ELEMENT = 1,
    CLX_ATTRIBUTE = 2,
    CLX_TEXT = 3,
    CLX_CDATA = 4,
    CLX_ENTITY_REFERENCE = 5,
    CLX_PROCESSING_INSTRUCTION = 7,
    CLX_COMMENT = 8,
    CLX_DOCUMENT = 9,
    CLX_HTML_DOCUMENT = 13,
};

/// Loads libxml2 at the first call; whether it is there.
bool clx_is_available(void);

/// Parses a document; null with `error` filled in if it is refused. Nothing is read besides the bytes.
clx_document *clx_parse(
    const uint8_t *bytes, size_t length, const char *encoding, bool html, const clx_limits *limits, clx_error *error);
void clx_document_free(clx_document *document);
clx_node *clx_document_node(const clx_document *document);
const char *clx_document_version(const clx_document *document);
const char *clx_document_encoding(const clx_document *document);
/// The name in the document type declaration, or null.
const char *clx_document_type_name(const clx_document *document);

int clx_node_type(const clx_node *node);
const char *clx_node_name(const clx_node *node);
/// The prefix of an element or attribute, or null.
const char *clx_node_prefix(const clx_node *node);
/// The namespace of an element or attribute, or null.
const char *clx_node_namespace(const clx_node *node);
/// The content of a text, comment, CDATA section or processing instruction, or null.
const char *clx_node_content(const clx_node *node);
/// The number of bytes of a text before its end.
size_t clx_text_length(const char *text);
const clx_node *clx_node_first_child(const clx_node *node);
const clx_node *clx_node_next(const clx_node *node);
const clx_node *clx_node_parent(const clx_node *node);
const clx_node *clx_node_first_attribute(const clx_node *node);
const clx_namespace *clx_node_first_namespace(const clx_node *node);
/// The line on which a node begins, or ends if it is a text; 0 if it is not known.
long clx_node_line(const clx_node *node);
/// The string-value of a node with entities replaced; to be released with clx_string_free; null for none.
char *clx_node_string_value(const clx_node *node);
/// An XPath expression that selects the node; to be released with clx_string_free.
char *clx_node_path(const clx_node *node);
/// Whether an attribute identifies its element.
bool clx_node_is_id(const clx_node *node);
/// Whether an entity reference's entity is declared with a text in the document.
bool clx_node_has_entity(const clx_node *reference);
void clx_string_free(char *string);

const clx_namespace *clx_namespace_next(const clx_namespace *declaration);
/// The prefix, or null for the default namespace.
const char *clx_namespace_prefix(const clx_namespace *declaration);
/// The namespace's name, or null where the default namespace is taken back.
const char *clx_namespace_uri(const clx_namespace *declaration);

#endif
