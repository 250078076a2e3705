#include "firmware-host/gate/webhook/curl_library.hpp"

#include <dlfcn.h>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::gate {
namespace {

constexpr const char* file = "libcurl.so.4";
constexpr unsigned oldest = 0x075700;  // 7.87: CURLOPT_QUICK_EXIT

std::unexpected<Error> not_usable(const std::string& why) {
    return fail(Errc::bad_config,
                "webhooks need libcurl (" + why + "): install Debian's package libcurl4");
}

template <typename Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

Result<CurlLibrary> load_it() {
    void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        return not_usable(::dlerror());
    }
    CurlLibrary curl;
    const bool whole = find(library, "curl_global_init", curl.global_init) &&
                       find(library, "curl_version_info", curl.version_info) &&
                       find(library, "curl_slist_append", curl.slist_append) &&
                       find(library, "curl_slist_free_all", curl.slist_free_all) &&
                       find(library, "curl_easy_init", curl.easy_init) &&
                       find(library, "curl_easy_cleanup", curl.easy_cleanup) &&
                       find(library, "curl_easy_reset", curl.easy_reset) &&
                       find(library, "curl_easy_setopt", curl.easy_setopt) &&
                       find(library, "curl_easy_getinfo", curl.easy_getinfo) &&
                       find(library, "curl_easy_strerror", curl.easy_strerror) &&
                       find(library, "curl_multi_init", curl.multi_init) &&
                       find(library, "curl_multi_cleanup", curl.multi_cleanup) &&
                       find(library, "curl_multi_setopt", curl.multi_setopt) &&
                       find(library, "curl_multi_add_handle", curl.multi_add_handle) &&
                       find(library, "curl_multi_remove_handle", curl.multi_remove_handle) &&
                       find(library, "curl_multi_socket_action", curl.multi_socket_action) &&
                       find(library, "curl_multi_info_read", curl.multi_info_read);
    if (!whole) {
        return not_usable("it lacks a function");
    }
    if (curl.version_info(CURLVERSION_NOW)->version_num < oldest) {
        return not_usable("it is older than 7.87");
    }
    if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        return not_usable("it can't be set up");
    }
    return curl;
}

}  // namespace

Result<const CurlLibrary*> CurlLibrary::load() {
    static std::optional<CurlLibrary> library;
    if (!library) {
        auto loaded = load_it();
        if (!loaded) {
            return std::unexpected(std::move(loaded.error()));
        }
        library = *loaded;
    }
    return &*library;
}

}  // namespace smsrack::gate
