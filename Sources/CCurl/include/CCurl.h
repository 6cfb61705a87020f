// libcurl's own declarations, and its variadic functions as functions that Swift can call.
//
// Nothing here links libcurl: the address of each function is found when FTP is first used.
#ifndef FERRY_CCURL_H
#define FERRY_CCURL_H

#include <curl/curl.h>

/// Calls `curl_easy_setopt` with a number.
CURLcode ferry_curl_set_long(void *setopt, CURL *handle, CURLoption option, long value);

/// Calls `curl_easy_setopt` with a number of 64 bits.
CURLcode ferry_curl_set_offset(void *setopt, CURL *handle, CURLoption option, curl_off_t value);

/// Calls `curl_easy_setopt` with a pointer.
CURLcode ferry_curl_set_pointer(void *setopt, CURL *handle, CURLoption option, const void *value);

/// Calls `curl_easy_setopt` with a function.
CURLcode ferry_curl_set_function(void *setopt, CURL *handle, CURLoption option, void (*value)(void));

/// Calls `curl_easy_getinfo` for a number.
CURLcode ferry_curl_get_long(void *getinfo, CURL *handle, CURLINFO info, long *value);

/// Calls `curl_easy_getinfo` for a text, which libcurl keeps.
CURLcode ferry_curl_get_text(void *getinfo, CURL *handle, CURLINFO info, char **value);

/// Calls `curl_easy_getinfo` for a socket.
CURLcode ferry_curl_get_socket(void *getinfo, CURL *handle, CURLINFO info, curl_socket_t *value);

/// Returns the result that a message of `curl_multi_info_read` tells of a transfer that is done.
CURLcode ferry_curl_result(const CURLMsg *message);

#endif
