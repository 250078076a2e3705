/// A plain connection of a test to a server, that waits for each answer.
///
/// Threads: one at a time.
#pragma once

#include <cstdint>
#include <libpq-fe.h>
#include <memory>
#include <stdexcept>
#include <string>

namespace smsrack::test {

class Session {
public:
    explicit Session(const std::string& conninfo)
        : connection_(::PQconnectdb(conninfo.c_str()), &::PQfinish) {
        if (::PQstatus(connection_.get()) != CONNECTION_OK) {
            throw std::runtime_error(::PQerrorMessage(connection_.get()));
        }
    }
    [[nodiscard]] static bool can_open(const std::string& conninfo) {
        return ::PQping(conninfo.c_str()) == PQPING_OK;
    }

    /// The first value of the last statement's first row; empty: it has none. Throws where it fails.
    std::string ask(const std::string& sql) {
        const std::unique_ptr<PGresult, void (*)(PGresult*)> result(
            ::PQexec(connection_.get(), sql.c_str()), &::PQclear);
        const auto status = ::PQresultStatus(result.get());
        if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) {
            throw std::runtime_error(::PQerrorMessage(connection_.get()));
        }
        return ::PQntuples(result.get()) == 0 ? "" : ::PQgetvalue(result.get(), 0, 0);
    }
    std::int64_t number(const std::string& sql) { return std::stoll(ask(sql)); }

private:
    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

}  // namespace smsrack::test
