#include "db/postgres/sql_error.hpp"

#include "src/ports/cluster_engine.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace smsrack::postgres {
namespace {

struct Meaning {
    std::string_view sqlstate;
    Errc code;
    int detail = 0;
};

constexpr std::array meanings{
    Meaning{"SR001", Errc::conflict, ports::epoch_outdated},
    Meaning{"SR002", Errc::conflict},
    Meaning{"SR003", Errc::not_allowed},
    Meaning{"SR004", Errc::newer_database},
    Meaning{"SR005", Errc::not_found},
    Meaning{"SR006", Errc::queue_full},
    Meaning{"22021", Errc::bad_encoding},  // character_not_in_repertoire
    Meaning{"53100", Errc::storage},       // disk_full
    Meaning{"58030", Errc::storage},       // io_error
    Meaning{"42501", Errc::not_allowed},   // insufficient_privilege
};

}  // namespace

bool may_retry(std::string_view sqlstate) {
    return sqlstate == "40001" || sqlstate == "40P01";  // serialization_failure, deadlock_detected
}

Error error_of(std::string_view sqlstate, std::string_view message) {
    const auto meaning = std::ranges::find(meanings, sqlstate, &Meaning::sqlstate);
    if (meaning == meanings.end()) {
        return closed(fmt::format("{} ({})", message, sqlstate));
    }
    return {.code = meaning->code,
            .detail = meaning->detail,
            .context = fmt::format("engine: {}", message)};
}

Error closed(std::string_view why) {
    return {.code = Errc::closed, .context = fmt::format("engine: {}", why)};
}

Error outcome_unknown() {
    return {.code = Errc::outcome_unknown,
            .context = "engine: it did not confirm that this is on its disks"};
}

}  // namespace smsrack::postgres
