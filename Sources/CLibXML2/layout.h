#ifndef CLX_LAYOUT_H
#define CLX_LAYOUT_H

// The parts of libxml2's public structures that this module reads. They are part of the stable ABI: identical in
// libxml2.so.2 (2.9 to 2.13) and libxml2.so.16 (2.14 and later). Functions are used instead where they exist.

typedef struct xml_ns {
    struct xml_ns *next;
    int type;
    const char *href;
    const char *prefix;
} xml_ns;

typedef struct xml_doc xml_doc;
typedef struct xml_attribute xml_attribute;

typedef struct xml_node {
    void *application;
    int type;
    const char *name;
    struct xml_node *children, *last, *parent, *next, *prev;
    xml_doc *doc;
    xml_ns *ns;
    char *content;
    xml_attribute *properties;
    xml_ns *declarations;
} xml_node;

struct xml_attribute {
    void *application;
    int type;
    const char *name;
    xml_node *children, *last, *parent;
    xml_attribute *next, *prev;
    xml_doc *doc;
    xml_ns *ns;
    int kind;
};

typedef struct {
    void *application;
    int type;
    const char *name;
    xml_node *children, *last;
    void *parent;
    xml_node *next, *prev;
    xml_doc *doc;
    char *original;
    char *content;
    int length;
    int kind;
} xml_entity;

struct xml_doc {
    void *application;
    int type;
    char *name;
    xml_node *children, *last, *parent, *next, *prev;
    xml_doc *doc;
    int compression;
    int standalone;
    xml_node *internal_subset, *external_subset;
    xml_ns *old_namespaces;
    const char *version;
    const char *encoding;
};

typedef struct {
    int domain;
    int code;
    char *message;
    int level;
    char *file;
    int line;
    char *string1, *string2, *string3;
    int number1;
    int number2;
    void *context;
    void *node;
} xml_error;

typedef void (*xml_error_function)(void *user, const xml_error *error);
typedef void (*xml_any_function)(void);

typedef struct {
    void (*internal_subset)(void *context, const char *name, const char *external_id, const char *system_id);
    xml_any_function before_get_entity[4];
    xml_entity *(*get_entity)(void *context, const char *name);
    void (*entity_declaration)(
        void *context, const char *name, int kind, const char *public_id, const char *system_id, char *content);
    xml_any_function notation_declaration;
    void (*attribute_declaration)(
        void *context, const char *element, const char *name, int kind, int default_kind, const char *default_value,
        void *values);
    xml_any_function before_start_element[5];
    void (*start_element)(void *context, const char *name, const char **attributes);
    void (*end_element)(void *context, const char *name);
    void (*reference)(void *context, const char *name);
    void (*characters)(void *context, const char *text, int length);
    void (*ignorable_space)(void *context, const char *text, int length);
    void (*processing_instruction)(void *context, const char *target, const char *data);
    void (*comment)(void *context, const char *text);
    xml_any_function before_parameter_entity[3];
    xml_entity *(*get_parameter_entity)(void *context, const char *name);
    void (*cdata)(void *context, const char *text, int length);
    xml_any_function before_initialized;
    unsigned int initialized;
    void *application;
    void (*start_element_ns)(
        void *context, const char *name, const char *prefix, const char *uri, int namespace_count,
        const char **namespaces, int attribute_count, int default_count, const char **attributes);
    void (*end_element_ns)(void *context, const char *name, const char *prefix, const char *uri);
    xml_error_function error;
} xml_sax;

/// The fields of the parser context that this module reads. Those for attributes and namespaces are read only with
/// 64-bit
/// pointers and before version 2.12; later versions do not compare each pair of attributes.
typedef struct {
    xml_sax *sax;
#if UINTPTR_MAX == UINT64_MAX
    char before_attribute_capacity[464];
    /// The size of the array of attributes while their start tag is parsed: five entries per attribute in XML, two in
    /// HTML.
    int attribute_capacity;
    char before_namespace_count[32];
    /// Twice the number of namespace declarations in scope.
    int namespace_count;
#endif
} xml_parser;

#endif
