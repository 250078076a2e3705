/// Takes numbers and texts out of old rows, and leaves what is needed to count and to bill.
///
/// A number keeps "+" and two digits, which tell the country or its continent: "+33*". The text
/// goes, and so do ref, raw PDUs and dialogues. Status reports go by themselves after some days;
/// hashes of numbers stay as long as their message.
/// Threads: the writing thread.
/// Errors:  StorageFailure (inside db).
#pragma once

#include "db/engine/writer.hpp"
#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/ports/upkeep_commands.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::db {

class Anonymiser {
public:
    /// Looks at up to `limit` rows of each kind that has a time. Gives how many; fewer than
    /// `limit`: the rest is not old enough.
    [[nodiscard]] std::size_t step(Connection& db, const ports::Anonymise& command);

private:
    std::size_t messages(Connection& db, WallTime before, std::size_t limit);
    std::size_t inbox(Connection& db, WallTime before, std::size_t limit);
    static std::size_t silent(Connection& db, WallTime before, std::size_t limit);

    MessageId message_ = {};  // looked at up to here
    InboxId inbox_ = {};
    bool passed_by_ = false;  // a message that was not at its end: it is looked at again, in a day
    WallTime again_after_ = WallTime::min();
};

[[nodiscard]] std::size_t apply(Writer& writer, const ports::Anonymise& command);

[[nodiscard]] std::string anonymous_number(std::string_view number);

}  // namespace smsrack::db
