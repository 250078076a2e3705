#include "tools/smsrack/doctor/modem_talk.hpp"

#include "drivers/wavecom/profile.hpp"

#include <utility>

namespace smsrack::cli {

ModemTalk::ModemTalk(const Clock& clock)
    : clock_(clock), source_(clock), channel_(wavecom::profile.urcs.rules(), *this, {}) {}

ModemTalk::~ModemTalk() = default;

Result<> ModemTalk::open(const serial::PortSettings& settings) {
    close();
    auto pipe = source_.open(settings);
    if (!pipe) {
        return std::unexpected(std::move(pipe.error()));
    }
    pipe_ = std::move(*pipe);
    channel_.attach(pipe_.get());
    return {};
}

void ModemTalk::close() {
    channel_.attach(nullptr);
    pipe_.reset();
}

Result<TalkAnswer> ModemTalk::ask(const at::Command& command) {
    answer_ = {};
    answered_ = false;
    if (auto stepped = channel_.step(clock_.steady()); !stepped) {  // what was said before
        return std::unexpected(std::move(stepped.error()));
    }
    channel_.start(command, clock_.steady());
    while (!answered_) {
        source_.waiter().wait_until(channel_.deadline());
        if (auto stepped = channel_.step(clock_.steady()); !stepped) {
            channel_.abandon();
            return std::unexpected(std::move(stepped.error()));
        }
    }
    return std::exchange(answer_, {});
}

void ModemTalk::on_line(at::LineKind, std::string_view line) {
    answer_.lines.emplace_back(line);
}

void ModemTalk::on_final(at::FinalResult result) {
    answer_.result = result;
    answered_ = true;
}

}  // namespace smsrack::cli
