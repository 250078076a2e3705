#include "db/postgres/pq_library.hpp"

#include <dlfcn.h>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::postgres {
namespace {

constexpr const char* file = "libpq.so.5";

std::unexpected<Error> not_usable(const std::string& why) {
    return fail(Errc::bad_config,
                "[cluster] needs libpq (" + why + "): install Debian's package libpq5");
}

template <typename Function>
bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    return function != nullptr;
}

Result<PqLibrary> load_it() {
    void* const library = ::dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        return not_usable(::dlerror());
    }
    PqLibrary pq;
    const bool whole =
        find(library, "PQconninfoParse", pq.conninfo_parse) &&
        find(library, "PQconninfoFree", pq.conninfo_free) &&
        find(library, "PQfreemem", pq.free_memory) &&
        find(library, "PQconnectStartParams", pq.connect_start) &&
        find(library, "PQconnectPoll", pq.connect_poll) && find(library, "PQfinish", pq.finish) &&
        find(library, "PQstatus", pq.status) && find(library, "PQsocket", pq.socket) &&
        find(library, "PQerrorMessage", pq.error_message) &&
        find(library, "PQtransactionStatus", pq.transaction_status) &&
        find(library, "PQsetnonblocking", pq.set_nonblocking) &&
        find(library, "PQsetNoticeReceiver", pq.set_notice_receiver) &&
        find(library, "PQsendQuery", pq.send_query) &&
        find(library, "PQsendQueryParams", pq.send_query_params) &&
        find(library, "PQflush", pq.flush) && find(library, "PQconsumeInput", pq.consume_input) &&
        find(library, "PQnotifies", pq.notifies) && find(library, "PQisBusy", pq.is_busy) &&
        find(library, "PQgetResult", pq.get_result) && find(library, "PQexec", pq.exec) &&
        find(library, "PQclear", pq.clear) && find(library, "PQresultStatus", pq.result_status) &&
        find(library, "PQresultErrorField", pq.error_field) &&
        find(library, "PQntuples", pq.row_count) && find(library, "PQgetvalue", pq.value) &&
        find(library, "PQgetlength", pq.length) && find(library, "PQgetisnull", pq.is_null);
    if (!whole) {
        return not_usable("it lacks a function");
    }
    return pq;
}

}  // namespace

Result<const PqLibrary*> PqLibrary::load() {
    static std::mutex mutex;  // guards library
    static std::optional<PqLibrary> library;
    const std::lock_guard lock(mutex);
    if (!library) {
        auto loaded = load_it();
        if (!loaded) {
            return std::unexpected(std::move(loaded.error()));
        }
        library = *loaded;
    }
    return &*library;
}

}  // namespace smsrack::postgres
