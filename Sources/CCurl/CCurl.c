#include "CCurl.h"

typedef CURLcode (*setopt_function)(CURL *, CURLoption, ...);
typedef CURLcode (*getinfo_function)(CURL *, CURLINFO, ...);

CURLcode ferry_curl_set_long(void *setopt, CURL *handle, CURLoption option, long value) {
    return ((setopt_function)setopt)(handle, option, value);
}

CURLcode ferry_curl_set_offset(void *setopt, CURL *handle, CURLoption option, curl_off_t value) {
    return ((setopt_function)setopt)(handle, option, value);
}

CURLcode ferry_curl_set_pointer(void *setopt, CURL *handle, CURLoption option, const void *value) {
    return ((setopt_function)setopt)(handle, option, value);
}

CURLcode ferry_curl_set_function(void *setopt, CURL *handle, CURLoption option, void (*value)(void)) {
    return ((setopt_function)setopt)(handle, option, value);
}

CURLcode ferry_curl_get_long(void *getinfo, CURL *handle, CURLINFO info, long *value) {
    return ((getinfo_function)getinfo)(handle, info, value);
}

CURLcode ferry_curl_get_text(void *getinfo, CURL *handle, CURLINFO info, char **value) {
    return ((getinfo_function)getinfo)(handle, info, value);
}

CURLcode ferry_curl_get_socket(void *getinfo, CURL *handle, CURLINFO info, curl_socket_t *value) {
    return ((getinfo_function)getinfo)(handle, info, value);
}

CURLcode ferry_curl_result(const CURLMsg *message) {
    return message->data.result;
}
