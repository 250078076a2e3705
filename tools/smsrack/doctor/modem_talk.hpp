/// Talks to a modem on a port, without the service: one AT command after the other, waiting for
/// each answer.
///
/// What a service that died left unread on the port is gone after this.
/// Time:    each command has its own deadline; nothing else waits.
/// Threads: one.
/// Errors:  of open(): as serial::PipeSource; of ask(): closed where the port is gone.
#pragma once

#include "drivers/at/at_channel.hpp"
#include "drivers/serial/serial_source.hpp"
#include "src/base/clock.hpp"
#include "src/base/result.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace smsrack::cli {

struct TalkAnswer {
    at::FinalResult result = {.kind = at::FinalKind::timed_out};
    std::vector<std::string> lines = {};

    [[nodiscard]] bool ok() const { return result.kind == at::FinalKind::ok; }
};

class ModemTalk final : private at::AtListener {
public:
    /// `clock` outlives this object.
    explicit ModemTalk(const Clock& clock);
    ~ModemTalk() override;

    /// Closes what was open before.
    [[nodiscard]] Result<> open(const serial::PortSettings& settings);
    void close();

    [[nodiscard]] Result<TalkAnswer> ask(const at::Command& command);

    /// ESC, in case a dead program left the modem waiting for a PDU.
    void escape() { channel_.write_raw("\x1b"); }

private:
    void on_prompt() override {}
    void on_line(at::LineKind kind, std::string_view line) override;
    void on_final(at::FinalResult result) override;
    void on_urc(std::string_view, std::string_view) override {}
    void on_stray_final(at::FinalResult) override {}

    const Clock& clock_;
    serial::SerialSource source_;
    std::unique_ptr<serial::BytePipe> pipe_;
    at::AtChannel channel_;
    TalkAnswer answer_;
    bool answered_ = false;
};

}  // namespace smsrack::cli
