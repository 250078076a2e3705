#include "db/pin_tries.hpp"

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
    Rows row = db.query("SELECT outcome, attempts_left FROM pin_tries WHERE card = ? AND value = ?",
                        std::string_view(pin.card), pin.value);
    if (!row.next()) {
        return std::nullopt;
    }
    Earlier earlier;
    row.read(earlier.outcome, earlier.attempts_left);
    return earlier;
}

bool may_try(const std::optional<Earlier>& earlier, int attempts_left) {
    if (!earlier) {
        return true;
    }
    switch (earlier->outcome) {
        case PinOutcome::taken:
            return true;
        case PinOutcome::open:
            return attempts_left >= earlier->attempts_left;
        case PinOutcome::refused:
            break;
    }
    return false;
}

}  // namespace

bool begin_pin_try(Connection& db, const ports::PinTry& pin, WallTime at) {
    if (!may_try(earlier_try(db, pin), pin.attempts_left)) {
        end_pin_try(db, pin, false);
        return false;
    }
    db.run(
        "INSERT OR REPLACE INTO pin_tries (card, value, outcome, attempts_left, at) VALUES (?, ?, "
        "?, ?, ?)",
        std::string_view(pin.card), pin.value, PinOutcome::open, pin.attempts_left, at);
    return true;
}

void end_pin_try(Connection& db, const ports::PinTry& pin, bool taken) {
    db.run("UPDATE pin_tries SET outcome = ? WHERE card = ? AND value = ?",
           taken ? PinOutcome::taken : PinOutcome::refused, std::string_view(pin.card), pin.value);
}

Result<std::optional<WallTime>> last_pin_refused(const std::filesystem::path& database,
                                                 const std::string& card) {
    auto opened = Connection::open(database, {.read_only = true});
    if (!opened) {
        return std::unexpected(std::move(opened.error()));
    }
    return guarded([&]() -> Result<std::optional<WallTime>> {
        Rows row = (*opened)->query(
            "SELECT outcome, at FROM pin_tries WHERE card = ? ORDER BY at DESC LIMIT 1",
            std::string_view(card));
        PinOutcome outcome = PinOutcome::open;
        WallTime at;
        if (!row.next()) {
            return std::nullopt;
        }
        row.read(outcome, at);
        return outcome == PinOutcome::refused ? std::optional(at) : std::nullopt;
    });
}

}  // namespace smsrack::db
