#ifndef XPATH_REFERENCE_H
#define XPATH_REFERENCE_H

#include <stdbool.h>

// libxml2's own evaluation of XPath expressions, which ours is compared with.

/// Selected nodes, as libxml2 lays them out.
typedef struct {
    int count;
    int capacity;
    void **nodes;
} reference_nodes;

/// The value of an expression, as libxml2 lays it out up to the string.
typedef struct {
    /// 1 for nodes, 2 for a boolean, 3 for a number, 4 for a string.
    int type;
    reference_nodes *nodes;
    int boolean;
    double number;
    char *string;
} reference_value;

/// Evaluates an expression over a document of libxml2's, with one prefix bound; null if it cannot be evaluated.
reference_value *reference_evaluate(void *document, const char *expression, const char *prefix, const char *uri);
void reference_free(reference_value *value);

#endif
