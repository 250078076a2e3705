#include "db/upkeep/join_fleet.hpp"

#include <fmt/format.h>

namespace smsrack::db {
namespace {

// Programs before it know no message that is elsewhere.
constexpr int first_with_fleet = 28;

}  // namespace

Result<> join_fleet(Connection& connection, BoxNumber box) {
    if (box == BoxNumber{}) {
        return {};
    }
    const auto last = connection.scalar<EventSeq>("SELECT sequence FROM head", {});
    const BoxNumber before = number_of_box(last);
    if (before > box) {
        return fail(Errc::conflict,
                    fmt::format("the database has ids of box {}, and [cluster] names a key of box "
                                "{}: use the key that it had",
                                before.value, box.value));
    }
    if (before == box) {
        return {};
    }
    connection.run("BEGIN IMMEDIATE");
    connection.run("UPDATE head SET sequence = ?", before_ids_of(box));
    connection.run("UPDATE schema_reader SET oldest = max(oldest, ?)", first_with_fleet);
    connection.run("COMMIT");
    return {};
}

}  // namespace smsrack::db
