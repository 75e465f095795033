/* The reference for speed: COUNT GET requests over libcurl's multi interface in one thread.

   multi BASE COUNT URLS INFLIGHT [VERSION [AUTHORITIES]]
   requests BASE/1 … BASE/URLS in turn, COUNT in total, INFLIGHT at a time over reused connections;
   collects each body, and fails unless each response has status 200 and the VERSION of HTTP: 1.1, 2 (over
   TLS), or h2c (2 without TLS). https needs TLS 1.3 and trusts the certificate authorities in the file AUTHORITIES.
   Exits with status 77 if this libcurl does not support that. */
#include <curl/curl.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

struct transfer {
    CURL *easy;
    char *body;
    size_t length, capacity;
};

static int poller;
static long http_version = CURL_HTTP_VERSION_1_1, expected_version = CURL_HTTP_VERSION_1_1;
static const char *authorities;
static long timer_ms = -1;
static long next_request, finished, failed;
static size_t bytes;

static long number(const char *text, long most) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || value < 1 || value > most) {
        fprintf(stderr, "multi: \"%s\" is not a number from 1 to %ld\n", text, most);
        exit(2);
    }
    return value;
}

static void stop(const char *what) {
    fprintf(stderr, "multi: %s\n", what);
    exit(3);
}

static void unsupported(const char *what) {
    fprintf(stderr, "multi: %s\n", what);
    exit(77);
}

static void choose_version(const char *name) {
    if (!strcmp(name, "1.1")) return;
    if (!strcmp(name, "2")) {
        http_version = CURL_HTTP_VERSION_2TLS;
    } else if (!strcmp(name, "h2c")) {
        http_version = CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
    } else {
        fprintf(stderr, "multi: \"%s\" is not 1.1, 2 or h2c\n", name);
        exit(2);
    }
    expected_version = CURL_HTTP_VERSION_2_0;
    if (!(curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_HTTP2)) unsupported("no HTTP/2 in this libcurl");
}

static size_t collect(char *data, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    size_t added = size * count;
    if (transfer->length + added > transfer->capacity) {
        size_t capacity = 2 * (transfer->length + added) + 256;
        char *body = realloc(transfer->body, capacity);
        if (!body) return 0;
        transfer->body = body;
        transfer->capacity = capacity;
    }
    memcpy(transfer->body + transfer->length, data, added);
    transfer->length += added;
    return added;
}

static int watch(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    (void)easy;
    CURLM *multi = context;
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(poller, EPOLL_CTL_DEL, socket, NULL);
        return 0;
    }
    struct epoll_event event = {0};
    event.data.fd = socket;
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (epoll_ctl(poller, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event) != 0) stop(strerror(errno));
    if (!known) curl_multi_assign(multi, socket, &poller);
    return 0;
}

static int set_timer(CURLM *multi, long timeout_ms, void *context) {
    (void)multi, (void)context;
    timer_ms = timeout_ms;
    return 0;
}

static void start(CURLM *multi, struct transfer *transfer, const char *base, long urls) {
    char url[512];
    snprintf(url, sizeof url, "%s/%ld", base, next_request++ % urls + 1);
    transfer->length = 0;
    curl_easy_setopt(transfer->easy, CURLOPT_URL, url);
    if (curl_multi_add_handle(multi, transfer->easy) != CURLM_OK) stop("cannot add a transfer");
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments < 5 || count_of_arguments > 7) {
        fputs("usage: multi BASE COUNT URLS INFLIGHT [1.1|2|h2c [AUTHORITIES]]\n", stderr);
        return 2;
    }
    const char *base = arguments[1];
    long count = number(arguments[2], 10000000), urls = number(arguments[3], 1000000);
    long in_flight = number(arguments[4], 1024);
    if (in_flight > count) in_flight = count;
    if (count_of_arguments > 5) choose_version(arguments[5]);
    if (count_of_arguments > 6) authorities = arguments[6];

    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    poller = epoll_create1(EPOLL_CLOEXEC);
    struct transfer *transfers = calloc((size_t)in_flight, sizeof *transfers);
    if (!multi || poller < 0 || !transfers) stop("cannot start");
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, watch);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, multi);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, set_timer);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, in_flight);
    if (expected_version == CURL_HTTP_VERSION_2_0) {
        /* One connection carries all requests, as many at a time as the server allows. libcurl's default is 100. */
        curl_multi_setopt(multi, CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
        curl_multi_setopt(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, in_flight);
    }

    for (long index = 0; index < in_flight; index++) {
        struct transfer *transfer = &transfers[index];
        transfer->easy = curl_easy_init();
        if (!transfer->easy) stop("cannot make a transfer");
        curl_easy_setopt(transfer->easy, CURLOPT_WRITEFUNCTION, collect);
        curl_easy_setopt(transfer->easy, CURLOPT_WRITEDATA, transfer);
        curl_easy_setopt(transfer->easy, CURLOPT_PRIVATE, transfer);
        curl_easy_setopt(transfer->easy, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(transfer->easy, CURLOPT_TIMEOUT_MS, 10000L);
        curl_easy_setopt(transfer->easy, CURLOPT_PROXY, "");
        curl_easy_setopt(transfer->easy, CURLOPT_HTTP_VERSION, http_version);
        if (expected_version == CURL_HTTP_VERSION_2_0) curl_easy_setopt(transfer->easy, CURLOPT_PIPEWAIT, 1L);
        if (authorities) {
            curl_easy_setopt(transfer->easy, CURLOPT_CAINFO, authorities);
            curl_easy_setopt(transfer->easy, CURLOPT_CAPATH, NULL);
            if (curl_easy_setopt(transfer->easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_3) != CURLE_OK)
                unsupported("no TLS 1.3 in this libcurl");
        }
        start(multi, transfer, base, urls);
    }

    int running = 0;
    struct epoll_event events[256];
    while (finished < count) {
        int ready = epoll_wait(poller, events, 256, timer_ms < 0 || timer_ms > 1000 ? 1000 : (int)timer_ms);
        if (ready < 0 && errno != EINTR) stop(strerror(errno));
        if (ready <= 0) curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        for (int index = 0; index < ready; index++) {
            int mask = 0;
            if (events[index].events & EPOLLIN) mask |= CURL_CSELECT_IN;
            if (events[index].events & EPOLLOUT) mask |= CURL_CSELECT_OUT;
            if (events[index].events & (EPOLLERR | EPOLLHUP)) mask |= CURL_CSELECT_ERR;
            curl_multi_socket_action(multi, events[index].data.fd, mask, &running);
        }
        int left;
        CURLMsg *message;
        int any = 0;
        while ((message = curl_multi_info_read(multi, &left))) {
            if (message->msg != CURLMSG_DONE) continue;
            struct transfer *transfer;
            long status = 0, version = 0;
            CURLcode result = message->data.result;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer);
            curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
            curl_easy_getinfo(message->easy_handle, CURLINFO_HTTP_VERSION, &version);
            curl_multi_remove_handle(multi, transfer->easy);
            /* libcurl 7.88 does this from the second request on. */
            if (result == CURLE_HTTP2 && http_version == CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
                unsupported("this libcurl fails when it uses a connection of HTTP/2 without TLS again");
            if (result != CURLE_OK || status != 200 || transfer->length == 0 || version != expected_version) {
                if (!failed) fprintf(stderr, "multi: %s, status %ld\n", curl_easy_strerror(result), status);
                failed++;
            }
            bytes += transfer->length;
            finished++;
            if (next_request < count) {
                start(multi, transfer, base, urls);
                any = 1;
            }
        }
        /* New transfers start with a timeout of 0 ms: start them now, without another turn of the poller. */
        if (any) curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
    }
    printf("%ld responses, %zu bytes, %ld failed\n", finished, bytes, failed);

    for (long index = 0; index < in_flight; index++) {
        curl_easy_cleanup(transfers[index].easy);
        free(transfers[index].body);
    }
    curl_multi_cleanup(multi);
    curl_global_cleanup();
    return failed ? 1 : 0;
}
