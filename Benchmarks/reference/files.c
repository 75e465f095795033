// Creates many small files in one directory and does nothing else: the minimum cost of a report with a file per test.
//
// usage: files DIRECTORY COUNT BYTES [rename]
//
// With "rename", each file is first written under another name. Prints the CPU time per file in microseconds.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static double cpu_time(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_utime.tv_sec + usage.ru_stime.tv_sec + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

int main(int count, char **arguments) {
    if (count < 4) return 2;
    int files = atoi(arguments[2]);
    size_t size = strtoul(arguments[3], NULL, 10);
    int renames = count > 4 && strcmp(arguments[4], "rename") == 0;
    char *bytes = malloc(size);
    if (bytes == NULL || files <= 0) return 2;
    memset(bytes, 'x', size);
    if (mkdir(arguments[1], 0777) != 0) return perror(arguments[1]), 1;
    int directory = open(arguments[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) return perror(arguments[1]), 1;
    double begin = cpu_time();
    unsigned long long random = 88172645463325252ULL;
    for (int index = 0; index < files; index++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        char name[80], other[96];
        snprintf(name, sizeof name, "%08llx-%04llx-8%03x-8000-%012llx-result.json", random & 0xFFFFFFFF, random >> 48,
                 index & 0xFFF, random * 7 & 0xFFFFFFFFFFFF);
        snprintf(other, sizeof other, ".%s.tmp", name);
        int file = openat(directory, renames ? other : name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (file < 0 || write(file, bytes, size) != (ssize_t)size) return perror(name), 1;
        close(file);
        if (renames && renameat(directory, other, directory, name) != 0) return perror(name), 1;
    }
    printf("%.1f\n", (cpu_time() - begin) / files * 1e6);
    return 0;
}
