/// libpq, loaded only by a box of a fleet: with the libraries that it needs it takes some MiB.
///
/// Threads: load() by any; the functions as libpq says.
/// Errors:  bad_config: it is not installed.
/// Source:  docs/decisions/0050-postgresql-of-a-fleet.md
#pragma once

#include "src/base/result.hpp"

#include <libpq-fe.h>

namespace smsrack::postgres {

struct PqLibrary {
    decltype(&::PQconninfoParse) conninfo_parse = nullptr;
    decltype(&::PQconninfoFree) conninfo_free = nullptr;
    decltype(&::PQfreemem) free_memory = nullptr;
    decltype(&::PQconnectStartParams) connect_start = nullptr;
    decltype(&::PQconnectPoll) connect_poll = nullptr;
    decltype(&::PQfinish) finish = nullptr;
    decltype(&::PQstatus) status = nullptr;
    decltype(&::PQsocket) socket = nullptr;
    decltype(&::PQerrorMessage) error_message = nullptr;
    decltype(&::PQtransactionStatus) transaction_status = nullptr;
    decltype(&::PQsetnonblocking) set_nonblocking = nullptr;
    decltype(&::PQsetNoticeReceiver) set_notice_receiver = nullptr;
    decltype(&::PQsendQuery) send_query = nullptr;
    decltype(&::PQsendQueryParams) send_query_params = nullptr;
    decltype(&::PQflush) flush = nullptr;
    decltype(&::PQconsumeInput) consume_input = nullptr;
    decltype(&::PQnotifies) notifies = nullptr;
    decltype(&::PQisBusy) is_busy = nullptr;
    decltype(&::PQgetResult) get_result = nullptr;
    decltype(&::PQexec) exec = nullptr;
    decltype(&::PQclear) clear = nullptr;
    decltype(&::PQresultStatus) result_status = nullptr;
    decltype(&::PQresultErrorField) error_field = nullptr;
    decltype(&::PQntuples) row_count = nullptr;
    decltype(&::PQgetvalue) value = nullptr;
    decltype(&::PQgetlength) length = nullptr;
    decltype(&::PQgetisnull) is_null = nullptr;

    /// The first call that can loads it; it stays for the life of the process.
    [[nodiscard]] static Result<const PqLibrary*> load();
};

}  // namespace smsrack::postgres
