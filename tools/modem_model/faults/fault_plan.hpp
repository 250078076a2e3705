/// Pending faults that wait for their occasion, such as the next three answers.
#pragma once

#include "tools/modem_model/faults/fault.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace smsrack::modem_sim {

struct FaultPlan {
    bool hung = false;     ///< hears nothing
    bool stalled = false;  ///< hears AT+CFUN=1 alone

    /// Adds as many of its kind as `fault` says, with its parameters.
    void add(const Fault& fault) {
        Waiting& waiting = fault.at_command ? at_command_ : of(fault.kind);
        waiting.left += fault.count;
        waiting.fault = fault;
    }
    /// Uses one, where there is one.
    [[nodiscard]] std::optional<Fault> take(FaultKind kind) { return take(of(kind)); }
    /// The same for a `cms_error` in place of the prompt.
    [[nodiscard]] std::optional<Fault> take_at_command() { return take(at_command_); }

    /// Nothing waits any more.
    void forget() {
        waiting_ = {};
        at_command_ = {};
    }

private:
    struct Waiting {
        int left = 0;
        Fault fault = {};
    };
    [[nodiscard]] static std::optional<Fault> take(Waiting& waiting) {
        if (waiting.left == 0) {
            return std::nullopt;
        }
        --waiting.left;
        return waiting.fault;
    }
    [[nodiscard]] Waiting& of(FaultKind kind) { return waiting_[static_cast<std::size_t>(kind)]; }

    std::array<Waiting, fault_kinds> waiting_ = {};
    Waiting at_command_ = {};
};

}  // namespace smsrack::modem_sim
