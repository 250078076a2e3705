/// May the configured PIN be entered? A wrong PIN three times locks the SIM.
///
/// It is tried once, while attempts_min attempts are left, and only after the store has written down that it
/// is tried (PinWanted, answered with a PinVerdict): so it is not tried again after a restart either.
#pragma once

#include "src/ports/pin.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::gsm {

class PinEntry {
public:
    static constexpr int attempts_min = 2;

    /// The modem is set up again.
    void begin() { state_ = State::open; }
    /// Perhaps another SIM.
    void forget_refusal() { state_ = is_asked() ? state_ : State::open; }

    [[nodiscard]] bool may_try(const std::optional<std::string>& pin) const {
        return state_ == State::open && pin && pin->size() >= 4 && pin->size() <= 8 &&
               std::ranges::all_of(*pin, [](unsigned char c) { return std::isdigit(c) != 0; });
    }
    /// The store's answer is awaited.
    [[nodiscard]] bool is_asked() const { return state_ == State::asked; }
    /// It failed, now or earlier: a person must help.
    [[nodiscard]] bool is_refused() const { return state_ == State::refused; }
    /// What was asked about last.
    [[nodiscard]] const ports::PinTry& asked() const { return asked_; }

    void ask(ports::PinTry pin) {
        asked_ = std::move(pin);
        state_ = State::asked;
    }
    /// The store's answer. False: it is not about this SIM, since the modem restarted meanwhile.
    [[nodiscard]] bool answer(const ports::PinTry& pin, ports::PinVerdict verdict) {
        if (!is_asked() || pin.card != asked_.card) {
            return false;
        }
        state_ = verdict == ports::PinVerdict::refused ? State::refused : State::open;
        return true;
    }
    /// The SIM did not take it.
    void failed() { state_ = State::refused; }

private:
    enum class State : std::uint8_t { open, asked, refused };

    State state_ = State::open;
    ports::PinTry asked_ = {};
};

}  // namespace smsrack::gsm
