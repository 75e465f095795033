#ifndef CLX_LAYOUT_H
#define CLX_LAYOUT_H

// The parts of libxml2's public structures that are read here. They belong to its stable interface: the same in
// libxml2.so.2 (2.9 to 2.13) and libxml2.so.16 (2.14 and newer). Where a function tells the same, that is used instead.

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
    xml_any_function before_get_entity[5];
    xml_entity *(*get_entity)(void *context, const char *name);
    void (*entity_declaration)(
        void *context, const char *name, int kind, const char *public_id, const char *system_id, char *content);
    xml_any_function before_start_element[7];
    void (*start_element)(void *context, const char *name, const char **attributes);
    void (*end_element)(void *context, const char *name);
    xml_any_function before_parameter_entity[8];
    xml_entity *(*get_parameter_entity)(void *context, const char *name);
    xml_any_function before_initialized[2];
    unsigned int initialized;
    void *application;
    void (*start_element_ns)(
        void *context, const char *name, const char *prefix, const char *uri, int namespace_count,
        const char **namespaces, int attribute_count, int default_count, const char **attributes);
    void (*end_element_ns)(void *context, const char *name, const char *prefix, const char *uri);
    xml_error_function error;
} xml_sax;

/// Only the first field of the parser's context.
typedef struct {
    xml_sax *sax;
} xml_parser;

typedef struct {
    int count;
    int capacity;
    xml_node **nodes;
} xml_node_set;

typedef struct {
    int type;
    xml_node_set *nodes;
    int boolean;
    double number;
    char *string;
} xml_xpath_object;

typedef struct {
    xml_doc *doc;
    xml_node *node;
    int variable_count, variable_capacity;
    void *variables;
    int type_count, type_capacity;
    void *types;
    int function_count, function_capacity;
    void *functions;
    int axis_count, axis_capacity;
    void *axes;
    xml_ns **namespaces;
    int namespace_count;
    void *user;
    int context_size, proximity_position;
    int is_xpointer;
    xml_node *here, *origin;
    void *namespace_table;
    xml_any_function variable_lookup;
    void *variable_lookup_data;
    void *extra;
    const char *function, *function_uri;
    xml_any_function function_lookup;
    void *function_lookup_data;
    xml_ns **temporary_namespaces;
    int temporary_namespace_count;
    void *error_data;
    xml_error_function error;
    xml_error last_error;
    xml_node *debug_node;
    void *dictionary;
    int flags;
    void *cache;
    /// From 2.9.11 on.
    unsigned long operation_limit;
} xml_xpath_context;

#endif
