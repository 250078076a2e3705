#include "firmware-host/net/http_connection.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace smsrack;
using namespace smsrack::net;

TEST_CASE("HttpConnection: every pair of state and event, in the table or refused") {
    using enum ConnectionState;
    using Event = ConnectionEvent;
    struct Row {
        ConnectionState from;
        std::optional<ConnectionState> write_begun, written, output_ended, closed_by_us;
    };
    constexpr std::nullopt_t no = std::nullopt;
    for (const Row& row : {
             Row{free, writing, no, shut, closed}, Row{writing, no, free, no, closed},
             Row{shut, no, no, no, closed},  // nothing is written behind the end
             Row{closed, no, no, no, no},    // not even the end of a write
         }) {
        CAPTURE(static_cast<int>(row.from));
        CHECK(next(connection_rules, row.from, Event::write_begun) == row.write_begun);
        CHECK(next(connection_rules, row.from, Event::written) == row.written);
        CHECK(next(connection_rules, row.from, Event::output_ended) == row.output_ended);
        CHECK(next(connection_rules, row.from, Event::closed) == row.closed_by_us);
    }
}
