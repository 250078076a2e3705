/// A power line without a board: its orders are seen on the wire, as a line of its own.
#pragma once

#include "src/ports/power.hpp"
#include "tests/support/scripted_pipe.hpp"

namespace smsrack::test {

class ScriptedPower final : public ports::Power {
public:
    /// `wire` outlives this object.
    explicit ScriptedPower(Wire& wire) : wire_(wire) {}

    [[nodiscard]] Result<> switch_to(bool on) override {
        wire_.from_host += on ? "[power on]\r" : "[power off]\r";
        return {};
    }

private:
    Wire& wire_;
};

}  // namespace smsrack::test
