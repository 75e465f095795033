/* A server that responds to each request after MILLISECONDS, with any number in flight: delayed MILLISECONDS

   It prints its port and serves until its standard input ends. /counters returns the number of connections and requests
   at once. Requests need no body; the responses of a connection keep their order, because all have the same delay. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_LIMIT = 8192, EVENTS = 512 };

struct connection {
    int socket;
    unsigned generation;
    size_t length;
    char head[HEAD_LIMIT];
};

/* A response that is due; the delay is constant, so the queue is in the order of time. */
struct answer {
    int socket;
    unsigned generation;
    long number;
    long long due;
};

static struct connection **connections;
static size_t connection_limit;
static struct answer *queue;
static size_t queue_first, queue_count, queue_capacity;
static long long delay;
static long connection_count, request_count;
static unsigned generations;
static int poller, timer;

static void stop(const char *what) {
    perror(what);
    exit(3);
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void watch(int file) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = file};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, file, &event)) stop("epoll_ctl");
}

static void drop(struct connection *connection) {
    connections[connection->socket] = NULL;
    close(connection->socket);
    free(connection);
}

static void respond(int socket, const char *body, int length) {
    char text[512];
    int size = snprintf(
        text, sizeof text, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%.*s", length,
        length, body);
    /* A response is shorter than any send buffer, so a partial write means that the client does not read. */
    if (write(socket, text, size) != size) shutdown(socket, SHUT_RDWR);
}

static void set_timer(void) {
    struct itimerspec time = {0};
    if (queue_count) {
        long long due = queue[queue_first].due;
        time.it_value.tv_sec = due / 1000000000LL;
        time.it_value.tv_nsec = due % 1000000000LL;
    }
    if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, NULL)) stop("timerfd_settime");
}

static void add(struct connection *connection, long number) {
    if (queue_count == queue_capacity) {
        size_t capacity = queue_capacity ? 2 * queue_capacity : 1024;
        struct answer *larger = malloc(capacity * sizeof *larger);
        if (!larger) stop("malloc");
        for (size_t index = 0; index < queue_count; index++)
            larger[index] = queue[(queue_first + index) % queue_capacity];
        free(queue);
        queue = larger;
        queue_capacity = capacity;
        queue_first = 0;
    }
    queue[(queue_first + queue_count++) % queue_capacity] =
        (struct answer){connection->socket, connection->generation, number, now() + delay};
    if (queue_count == 1) set_timer();
}

static void send_due(void) {
    long long time = now();
    while (queue_count && queue[queue_first].due <= time) {
        struct answer answer = queue[queue_first];
        queue_first = (queue_first + 1) % queue_capacity;
        queue_count--;
        struct connection *connection = connections[answer.socket];
        if (!connection || connection->generation != answer.generation) continue;
        char body[96];
        /* A chain continues with the next number. */
        int length = snprintf(body, sizeof body, "{\"id\": %ld, \"next\": %ld}", answer.number, answer.number + 1);
        respond(answer.socket, body, length);
    }
    set_timer();
}

static void accept_all(int listener) {
    for (;;) {
        int socket = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
        if (socket < 0) return;
        int on = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        struct connection *connection = (size_t)socket < connection_limit ? malloc(sizeof *connection) : NULL;
        if (!connection) {
            close(socket);
            continue;
        }
        connection->socket = socket;
        connection->generation = ++generations;
        connection->length = 0;
        connections[socket] = connection;
        connection_count++;
        watch(socket);
    }
}

static void handle(struct connection *connection, const char *head, size_t length) {
    request_count++;
    const char *path = memchr(head, ' ', length), *end = head + length;
    const char *path_end = path ? memchr(path + 1, ' ', end - path - 1) : NULL;
    if (!path_end) return;
    if (path_end - path == 10 && !memcmp(path + 1, "/counters", 9)) {
        char body[64];
        respond(connection->socket, body, snprintf(body, sizeof body, "%ld %ld", connection_count, request_count));
        return;
    }
    const char *digits = path_end;
    while (digits[-1] >= '0' && digits[-1] <= '9') digits--;
    add(connection, strtol(digits, NULL, 10));
}

static void receive(struct connection *connection) {
    ssize_t count = read(
        connection->socket, connection->head + connection->length, HEAD_LIMIT - connection->length);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0) return drop(connection);
    connection->length += count;
    char *start = connection->head, *end = connection->head + connection->length, *mark;
    while ((mark = memmem(start, end - start, "\r\n\r\n", 4))) {
        handle(connection, start, mark - start);
        start = mark + 4;
    }
    connection->length = end - start;
    if (connection->length == HEAD_LIMIT) return drop(connection);
    memmove(connection->head, start, connection->length);
}

int main(int count, char **arguments) {
    if (count != 2) {
        fprintf(stderr, "usage: delayed MILLISECONDS\n");
        return 2;
    }
    delay = strtol(arguments[1], NULL, 10) * 1000000LL;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files)) stop("getrlimit");
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files)) stop("setrlimit");
    connection_limit = files.rlim_cur < 1048576 ? files.rlim_cur : 1048576;
    connections = calloc(connection_limit, sizeof *connections);
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    if (!connections || listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 4096)
        || getsockname(listener, (struct sockaddr *)&address, &size))
        stop("listen");
    poller = epoll_create1(0);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    if (poller < 0 || timer < 0) stop("epoll_create1");
    watch(listener);
    watch(timer);
    watch(STDIN_FILENO);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    for (;;) {
        struct epoll_event events[EVENTS];
        int ready = epoll_wait(poller, events, EVENTS, -1);
        if (ready < 0 && errno != EINTR) stop("epoll_wait");
        for (int index = 0; index < ready; index++) {
            int file = events[index].data.fd;
            if (file == STDIN_FILENO) {
                char byte;
                if (read(file, &byte, 1) <= 0) return 0;
            } else if (file == listener) {
                accept_all(listener);
            } else if (file == timer) {
                unsigned long long expirations;
                if (read(timer, &expirations, sizeof expirations) > 0) send_due();
            } else if (connections[file]) {
                receive(connections[file]);
            }
        }
    }
}
