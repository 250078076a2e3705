#include "db/write/pin_tries.hpp"

#include <string_view>
#include <utility>

namespace smsrack::db {
namespace {

/// The numbers are stored: never change one.
enum class PinOutcome : std::uint8_t { open = 0, taken = 1, refused = 2 };

struct Earlier {
    PinOutcome outcome = PinOutcome::open;
    int attempts_left = 0;
};

std::optional<Earlier> earlier_try(Connection& db, const ports::PinTry& pin) {
    Earlier earlier;
    const bool found =
        db.first(std::tie(earlier.outcome, earlier.attempts_left),
                 "SELECT outcome, attempts_left FROM pin_tries WHERE card = ? AND value = ?",
                 std::string_view(pin.card), pin.value);
    return found ? std::optional(earlier) : std::nullopt;
}

bool may_try(const std::optional<Earlier>& earlier, int attempts_left) {
    return !earlier || earlier->outcome == PinOutcome::taken ||
           (earlier->outcome == PinOutcome::open && attempts_left >= earlier->attempts_left);
}

void keep_outcome(Connection& db, const ports::PinTry& pin, PinOutcome outcome) {
    db.run("UPDATE pin_tries SET outcome = ? WHERE card = ? AND value = ?", outcome,
           std::string_view(pin.card), pin.value);
}

}  // namespace

bool apply(Writer& writer, const ports::BeginPinTry& command) {
    const auto& [pin, at] = command;
    if (!may_try(earlier_try(writer.db, pin), pin.attempts_left)) {
        keep_outcome(writer.db, pin, PinOutcome::refused);
        return false;
    }
    writer.db.run(
        "INSERT OR REPLACE INTO pin_tries (card, value, outcome, attempts_left, at) VALUES (?, ?, "
        "?, ?, ?)",
        std::string_view(pin.card), pin.value, PinOutcome::open, pin.attempts_left, at);
    return true;
}

void apply(Writer& writer, const ports::EndPinTry& command) {
    keep_outcome(writer.db, command.pin, command.taken ? PinOutcome::taken : PinOutcome::refused);
}

Result<std::optional<WallTime>> last_pin_refused(const std::filesystem::path& database,
                                                 const std::string& card) {
    return read_alone(database, [&](Connection& db) {
        PinOutcome outcome = PinOutcome::open;
        WallTime at;
        const bool tried =
            db.first(std::tie(outcome, at),
                     "SELECT outcome, at FROM pin_tries WHERE card = ? ORDER BY at DESC LIMIT 1",
                     std::string_view(card));
        return tried && outcome == PinOutcome::refused ? std::optional(at) : std::nullopt;
    });
}

}  // namespace smsrack::db
