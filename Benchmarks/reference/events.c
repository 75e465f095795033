/* The reference for loading: parses all events of a YAML file with libyaml and discards them.

   events FILE
   maps the file, parses it from the first event to the last, and prints the number of events of each kind with
   content. Exits with status 1 if the file is not YAML. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

static int stop(const char *what) {
    fprintf(stderr, "events: %s\n", what);
    return 2;
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments != 2) return stop("usage: events FILE");
    int file = open(arguments[1], O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0 || status.st_size <= 0) return stop("the file cannot be read");
    size_t size = (size_t)status.st_size;
    unsigned char *text = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (text == MAP_FAILED) return stop("the file cannot be mapped");

    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return stop("no memory");
    yaml_parser_set_input_string(&parser, text, size);
    long scalars = 0, mappings = 0, sequences = 0;
    int is_done = 0;
    while (!is_done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            fprintf(stderr, "events: line %zu: %s\n", parser.problem_mark.line + 1, parser.problem);
            return 1;
        }
        switch (event.type) {
            case YAML_SCALAR_EVENT: scalars++; break;
            case YAML_MAPPING_START_EVENT: mappings++; break;
            case YAML_SEQUENCE_START_EVENT: sequences++; break;
            case YAML_STREAM_END_EVENT: is_done = 1; break;
            default: break;
        }
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    printf("%ld scalars, %ld mappings, %ld sequences\n", scalars, mappings, sequences);
    munmap(text, size);
    close(file);
    return 0;
}
