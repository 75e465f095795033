#ifndef CLX_LIBRARY_H
#define CLX_LIBRARY_H

#include <stdarg.h>

#include "CLibXML2.h"
#include "layout.h"

typedef void (*xml_generic_error_function)(void *context, const char *format, ...);

/// The functions and variables of libxml2 that this module uses.
typedef struct {
    void (*xmlInitParser)(void);
    xml_parser *(*xmlNewParserCtxt)(void);
    void (*xmlFreeParserCtxt)(xml_parser *);
    xml_doc *(*xmlCtxtReadIO)(
        xml_parser *, int (*)(void *, char *, int), int (*)(void *), void *, const char *, const char *, int);
    void (*xmlStopParser)(xml_parser *);
    xml_parser *(*htmlNewParserCtxt)(void);
    void (*htmlFreeParserCtxt)(xml_parser *);
    xml_doc *(*htmlCtxtReadIO)(
        xml_parser *, int (*)(void *, char *, int), int (*)(void *), void *, const char *, const char *, int);
    void (*xmlFreeDoc)(xml_doc *);
    xml_entity *(*xmlGetDocEntity)(const xml_doc *, const char *);
    long (*xmlGetLineNo)(const xml_node *);
    char *(*xmlNodeGetContent)(const xml_node *);
    char *(*xmlGetNodePath)(const xml_node *);
    /// Returns the address of the thread's handler of generic errors.
    xml_generic_error_function *(*__xmlGenericError)(void);
    /// A variable: the function that releases strings.
    void (**xmlFree)(void *);
    /// A variable: the version as digits, such as 20914 for 2.9.14.
    const char **xmlParserVersion;
    /// The version as a number.
    long version;
} clx_library;

/// The loaded library, valid after clx_is_available has returned true.
extern clx_library clx_lib;

/// Sets the handler of messages that libxml2 would print on this thread, and returns the previous one.
xml_generic_error_function clx_set_printer(xml_generic_error_function printer);

/// Copies a string that may be null, truncated to a whole number of characters that fit.
void clx_copy(char *target, size_t size, const char *source);

#endif
