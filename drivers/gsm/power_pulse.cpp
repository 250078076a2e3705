#include "drivers/gsm/power_pulse.hpp"

#include <array>
#include <utility>

namespace smsrack::gsm {
namespace {

/// A modem must not stay dark because one call failed.
constexpr std::chrono::seconds on_again{1};

/// At each step, of 256 octets: more than a port says between two of them.
constexpr int reads_max = 16;

}  // namespace

PowerPulse::PowerPulse(std::unique_ptr<ports::Power> power, std::chrono::milliseconds off)
    : power_(std::move(power)), off_(off) {}

PowerPulse::~PowerPulse() {
    if (is_off()) {
        (void)switch_on();  // who runs next finds the line as the board has it
    }
}

Result<> PowerPulse::begin(std::unique_ptr<serial::BytePipe>& pipe, SteadyTime now) {
    if (power_) {
        if (auto off = power_->switch_to(false); !off) {
            return off;
        }
        pipe.reset();  // a device without power takes its port along
    } else {
        if (!pipe) {
            return fail(Errc::no_device, "no power line, and the port is not open");
        }
        if (auto down = pipe->set_dtr(false); !down) {
            return down;
        }
        pipe_ = std::move(pipe);
    }
    on_at_ = now + off_;
    return {};
}

Result<> PowerPulse::step(SteadyTime now) {
    discard_input();
    if (now < on_at_) {
        return {};
    }
    auto on = switch_on();
    on_at_ = on || pipe_ ? never : now + on_again;  // a port that is gone took its DTR along
    pipe_.reset();
    return on;
}

/// No reader listens meanwhile, and what is not read would wake the thread again and again.
void PowerPulse::discard_input() {
    std::array<char, 256> unheard{};
    for (int reads = 0; pipe_ && reads < reads_max; ++reads) {
        const auto got = pipe_->read(unheard);
        if (!got) {  // the port is gone, and its DTR with it
            pipe_.reset();
            on_at_ = never;
        } else if (*got < unheard.size()) {
            return;
        }
    }
}

Result<> PowerPulse::switch_on() {
    return pipe_ ? pipe_->set_dtr(true) : power_->switch_to(true);
}

}  // namespace smsrack::gsm
