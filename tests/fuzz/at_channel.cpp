// A modem answers a command with anything at all: what the listener hears does not depend on how it came, nor on a hand-over in between.
#include "drivers/at/at_channel.hpp"

#include "drivers/at/pdu_line.hpp"
#include "drivers/gsm/exchange/submit_exchange.hpp"
#include "drivers/wavecom/profile.hpp"
#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/support/scripted_pipe.hpp"

#include <array>
#include <fmt/format.h>
#include <memory>
#include <string>

namespace smsrack::fuzz {
namespace {

using namespace std::chrono_literals;

class Hearer final : public at::AtListener {
public:
    void on_prompt() override { heard += "prompt\n"; }
    void on_line(at::LineKind kind, std::string_view line) override {
        SMSRACK_CHECK(kind == at::LineKind::intermediate || kind == at::LineKind::data);
        SMSRACK_CHECK(finals == 0);
        heard += fmt::format("line {} {}\n", static_cast<int>(kind), line);
    }
    void on_final(at::FinalResult result) override {
        ++finals;
        SMSRACK_CHECK(finals == 1);
        heard += "final " + at::to_text(result) + "\n";
    }
    void on_urc(std::string_view line, std::string_view pdu) override {
        const at::UrcRule* const rule = at::find_urc(line, wavecom::profile.urcs.rules());
        SMSRACK_CHECK(rule != nullptr && (rule->takes_pdu || pdu.empty()));
        heard += fmt::format("urc {} {}\n", line, pdu);
    }
    void on_stray_final(at::FinalResult result) override {
        heard += "stray " + at::to_text(result) + "\n";
    }

    std::string heard;
    int finals = 0;
};

/// The wire, the channel, and who listens.
struct Rig {
    explicit Rig(Hearer& to) : channel(wavecom::profile.urcs.rules(), to, 0ms) {}

    test::Wire wire;
    test::ScriptedPipe pipe{wire};
    at::AtChannel channel;
};

constexpr SteadyTime now = SteadyTime{} + 1h;

/// What is heard, and the unexpected lines.
std::string told(const at::Command& command, const std::vector<std::string_view>& pieces,
                 bool handed_over) {
    Hearer hearer;
    auto rig = std::make_unique<Rig>(hearer);
    rig->channel.attach(&rig->pipe);
    if (!command.text.empty()) {
        rig->channel.start(command, now);
    }
    std::uint64_t dropped = 0;
    for (const std::string_view piece : pieces) {
        rig->wire.to_host += piece;
        do {
            SMSRACK_CHECK(rig->channel.step(now).has_value());
        } while (!rig->wire.to_host.empty());
        if (handed_over) {
            const at::ChannelCarried carried = rig->channel.carried();
            dropped += rig->channel.dropped_lines();
            auto next = std::make_unique<Rig>(hearer);
            next->channel.adopt(&next->pipe, carried, command);
            rig = std::move(next);
        }
    }
    dropped += rig->channel.dropped_lines();
    SMSRACK_CHECK(rig->channel.is_busy() == (hearer.finals == 0 && !command.text.empty()));
    return hearer.heard + fmt::format("dropped {}\n", dropped);
}

}  // namespace

int fuzz_at_channel(Octets input) {
    const std::string_view text = text_of(input);
    // A submit alone is ever handed over in the middle (GsmModem::carried).
    at::Command submit = gsm::SubmitExchange::command();
    submit.text = "AT+CMGS=24";
    const std::array commands{
        at::Command{},
        submit,
        at::Command{.text = "AT+CMGL=4", .prefix = "+CMGL:", .takes = at::Takes::pdu},
        at::Command{.text = "AT+CGSN", .takes = at::Takes::text},
        at::Command{.text = "AT+CPIN?", .prefix = "+CPIN:", .ends = at::Ends::at_silence_too},
        at::Command{.text = "AT+CREG?", .prefix = "+CREG:"},
    };
    for (std::size_t i = 0; i < commands.size(); ++i) {
        const std::string whole = told(commands[i], {text}, false);
        for (const auto& pieces : ways_to_come(text)) {
            SMSRACK_CHECK(told(commands[i], pieces, false) == whole);
            SMSRACK_CHECK(i > 1 || told(commands[i], pieces, true) == whole);
        }
    }
    return 0;
}

}  // namespace smsrack::fuzz
