#ifndef CLIBXML2_H
#define CLIBXML2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libxml2, loaded on first use. Neither the library nor its headers are required to build or start the program.
// All functions except clx_is_available require that clx_is_available has returned true.

/// A parsed document.
typedef struct clx_document clx_document;
/// A node of a document, or an attribute.
typedef struct clx_node clx_node;
/// A namespace declaration of an element.
typedef struct clx_namespace clx_namespace;

/// The reason why there is no document or value.
typedef enum {
    CLX_NONE = 0,
    /// An error from libxml2, with its domain and code.
    CLX_LIBRARY,
    /// The maximum nesting depth of elements is exceeded.
    CLX_DEPTH,
    /// The maximum number of nodes is exceeded.
    CLX_NODES,
    /// The maximum number of elements is exceeded.
    CLX_ELEMENTS,
    /// The maximum number of an element's attributes, or of namespaces in scope, is exceeded.
    CLX_ATTRIBUTES,
    /// The maximum number of declarations, or the maximum length of the internal subset, is exceeded.
    CLX_DOCUMENT_TYPE,
    /// The maximum CPU time of parsing is exceeded.
    CLX_TIME,
    /// The caller no longer needs the document.
    CLX_GIVEN_UP,
    /// The maximum number of entities is exceeded.
    CLX_ENTITIES,
    /// The maximum length of the replacement text of entity references is exceeded.
    CLX_EXPANSION,
    /// The entity named by `first` contains elements.
    CLX_ENTITY_MARKUP,
    /// The entity named by `first` refers to itself.
    CLX_ENTITY_LOOP,
} clx_error_kind;

/// The first error of a call. A location is 0 if it is unknown.
typedef struct {
    clx_error_kind kind;
    int domain;
    int code;
    int line;
    /// The 1-based column; in an XPath expression, the number of bytes before the error.
    int column;
    int number;
    char message[512];
    char first[128];
    char second[128];
} clx_error;

/// The limits for a document.
typedef struct {
    int64_t depth;
    int64_t nodes;
    int64_t elements;
    int64_t attributes;
    int64_t entities;
    int64_t expansion;
    /// The length of the document type's internal subset in bytes.
    int64_t subset;
    /// The CPU time of parsing in nanoseconds.
    int64_t time;
    /// Returns whether the caller no longer needs the document. The parsing thread calls it repeatedly. May be null.
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

/// Loads libxml2 on the first call and returns whether it is installed.
bool clx_is_available(void);

/// Parses a document; returns null and sets `error` if it is rejected. Nothing except the bytes is read.
clx_document *clx_parse(
    const uint8_t *bytes, size_t length, const char *encoding, bool html, const clx_limits *limits, clx_error *error);
void clx_document_free(clx_document *document);
clx_node *clx_document_node(const clx_document *document);
const char *clx_document_version(const clx_document *document);
const char *clx_document_encoding(const clx_document *document);
/// Returns the name in the document type declaration, or null.
const char *clx_document_type_name(const clx_document *document);

int clx_node_type(const clx_node *node);
const char *clx_node_name(const clx_node *node);
/// Returns the prefix of an element or attribute, or null.
const char *clx_node_prefix(const clx_node *node);
/// Returns the namespace of an element or attribute, or null.
const char *clx_node_namespace(const clx_node *node);
/// Returns the content of a text, comment, CDATA section or processing instruction, or null.
const char *clx_node_content(const clx_node *node);
/// Returns the length of a text in bytes.
size_t clx_text_length(const char *text);
const clx_node *clx_node_first_child(const clx_node *node);
const clx_node *clx_node_next(const clx_node *node);
const clx_node *clx_node_parent(const clx_node *node);
const clx_node *clx_node_first_attribute(const clx_node *node);
const clx_namespace *clx_node_first_namespace(const clx_node *node);
/// Returns the line on which a node starts, or a text node ends; 0 if it is unknown.
long clx_node_line(const clx_node *node);
/// Returns the string-value of a node with entities replaced, or null. Release it with clx_string_free.
char *clx_node_string_value(const clx_node *node);
/// Returns an XPath expression that selects the node. Release it with clx_string_free.
char *clx_node_path(const clx_node *node);
/// Returns whether an attribute identifies its element.
bool clx_node_is_id(const clx_node *node);
/// Returns whether the entity of a reference is declared in the document with a replacement text.
bool clx_node_has_entity(const clx_node *reference);
void clx_string_free(char *string);

const clx_namespace *clx_namespace_next(const clx_namespace *declaration);
/// Returns the prefix, or null for the default namespace.
const char *clx_namespace_prefix(const clx_namespace *declaration);
/// Returns the name of the namespace, or null for a declaration that removes the default namespace.
const char *clx_namespace_uri(const clx_namespace *declaration);

#endif
