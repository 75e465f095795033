#ifndef CLIBXML2_H
#define CLIBXML2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libxml2, loaded when it is first needed: nothing here needs it, or its headers, to build or to start.
// Every function but clx_is_available requires that clx_is_available has returned true.

/// A parsed document.
typedef struct clx_document clx_document;
/// A node of a document, an attribute, or a namespace that an XPath expression has selected.
typedef struct clx_node clx_node;
/// A namespace declaration of an element.
typedef struct clx_namespace clx_namespace;
/// The value of an XPath expression.
typedef struct clx_result clx_result;

/// Why there is no document or value.
typedef enum {
    CLX_NONE = 0,
    /// An error of libxml2's, with its domain and code.
    CLX_LIBRARY,
    /// Elements are nested deeper than allowed.
    CLX_DEPTH,
    /// There are more elements and attributes than allowed.
    CLX_NODES,
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

/// What a document may demand at most.
typedef struct {
    int64_t depth;
    int64_t nodes;
    int64_t entities;
    int64_t expansion;
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
    CLX_NAMESPACE = 18,
};

/// The types of an XPath expression's value, as libxml2 numbers them.
enum { CLX_NODES_VALUE = 1, CLX_BOOLEAN_VALUE = 2, CLX_NUMBER_VALUE = 3, CLX_STRING_VALUE = 4 };

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
/// Whether an entity reference's entity is declared with a text in the document.
bool clx_node_has_entity(const clx_node *reference);
void clx_string_free(char *string);

const clx_namespace *clx_namespace_next(const clx_namespace *declaration);
/// The prefix, or null for the default namespace.
const char *clx_namespace_prefix(const clx_namespace *declaration);
/// The namespace's name, or null where the default namespace is taken back.
const char *clx_namespace_uri(const clx_namespace *declaration);

/// Evaluates an XPath expression; null with `error` filled in on failure. Namespaces come as pairs of prefix and name.
clx_result *clx_xpath_evaluate(
    clx_document *document, const clx_node *node, const char *expression, const char *const *namespaces,
    size_t namespaceCount, unsigned long operations, clx_error *error);
void clx_result_free(clx_result *result);
int clx_result_type(const clx_result *result);
bool clx_result_boolean(const clx_result *result);
double clx_result_number(const clx_result *result);
const char *clx_result_string(const clx_result *result);
size_t clx_result_count(const clx_result *result);
/// A selected node; a namespace node lives only as long as the result.
const clx_node *clx_result_node(const clx_result *result, size_t index);
/// Prefix and name of a selected namespace node.
const clx_namespace *clx_result_namespace(const clx_node *node);

#endif
