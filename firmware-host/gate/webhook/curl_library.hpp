/// libcurl, loaded only by a gate that has a webhook: with the libraries that it needs it takes some MiB.
///
/// Threads: load() by one thread; the functions as libcurl says.
/// Errors:  bad_config: it is not installed, or too old.
/// Source:  docs/decisions/0043-webhooks.md
#pragma once

#include "src/base/result.hpp"

#include <curl/curl.h>

namespace smsrack::gate {

struct CurlLibrary {
    decltype(&::curl_global_init) global_init = nullptr;
    decltype(&::curl_version_info) version_info = nullptr;
    decltype(&::curl_slist_append) slist_append = nullptr;
    decltype(&::curl_slist_free_all) slist_free_all = nullptr;
    decltype(&::curl_easy_init) easy_init = nullptr;
    decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
    decltype(&::curl_easy_reset) easy_reset = nullptr;
    decltype(&::curl_easy_setopt) easy_setopt = nullptr;
    decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
    decltype(&::curl_easy_strerror) easy_strerror = nullptr;
    decltype(&::curl_multi_init) multi_init = nullptr;
    decltype(&::curl_multi_cleanup) multi_cleanup = nullptr;
    decltype(&::curl_multi_setopt) multi_setopt = nullptr;
    decltype(&::curl_multi_add_handle) multi_add_handle = nullptr;
    decltype(&::curl_multi_remove_handle) multi_remove_handle = nullptr;
    decltype(&::curl_multi_socket_action) multi_socket_action = nullptr;
    decltype(&::curl_multi_info_read) multi_info_read = nullptr;

    /// The first call that can loads it; it stays for the life of the process.
    [[nodiscard]] static Result<const CurlLibrary*> load();
};

}  // namespace smsrack::gate
