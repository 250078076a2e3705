/// What administrators did, durably: a row for each call that only an administrator may make and
/// that changes something.
///
/// db/sqlite_store implements it, next to ports::Store.
/// Bound:   audit_rows_max rows; RemoveOld removes those older than the messages that are kept.
/// Threads, Errors: as CommandPort and QuestionPort.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/interface.hpp"
#include "src/base/result.hpp"
#include "src/ports/command.hpp"
#include "src/ports/question.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::ports {

using AuditId = Id<struct AuditTag, std::int64_t>;

/// The oldest beyond these go: a year of a call every five minutes.
inline constexpr std::int64_t audit_rows_max = 100'000;

struct AuditRow {
    AuditId id = {};
    WallTime at = {};         ///< when the call came
    std::string caller = {};  ///< access::Caller::name
    std::string call = {};    ///< "POST /v1/modems/m0/drain"; no body, no full number
    int status = 0;           ///< of the answer
};

struct AuditFilter {
    std::optional<WallTime> since = {};  ///< called at or after
    AuditId before = {};                 ///< only older ones (cursor); 0: from the newest
    std::size_t limit = 100;
};

class AuditReader : public Interface {
public:
    /// Newest first, in the order of their answers.
    [[nodiscard]] virtual Result<std::vector<AuditRow>> audit(const AuditFilter& filter) = 0;
};

/// Keeps the row; its id is given by the store.
struct KeepAudit {
    using Answer = void;
    AuditRow row;
};

class AuditStore : public CommandPort<KeepAudit>, public QuestionPort<AuditReader> {};

}  // namespace smsrack::ports
