/// Modelled modems at the ends of serial lines, as the drivers see them: a PipeSource for each.
#pragma once

#include "drivers/serial/byte_pipe.hpp"
#include "src/ports/power.hpp"
#include "tests/rack/support/hand_executor.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/seeded_random.hpp"
#include "tools/modem_model/wired_modem.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::test {

/// What the network got: the truth against which the store is audited.
struct Submitted {
    SteadyTime at = {};
    unsigned modem = 0;
    std::string to;
    std::string pdu;
    int mr = 0;
    std::string iccid;  ///< of the SIM that sent it
};

/// What the network told of one, whatever the modem did with it.
struct Reported {
    SteadyTime at = {};
    unsigned modem = 0;
    std::string to;
    int mr = 0;
    int status = 0;     ///< TP-Status
    std::string how;    ///< as the journal has it
    std::string iccid;  ///< of the SIM that it was ordered to
};

/// What happened to a received message between the network and the host, PDU by PDU.
struct InboundStep {
    enum class What : std::uint8_t {
        stored,        ///< the SIM has it
        direct,        ///< said to the host, and confirmed by the modem itself
        given,         ///< said to the host, which is to confirm it
        acknowledged,  ///< the host has
        dropped,
        erased,     ///< from the SIM
        confirmed,  ///< the host was notified of the last one that was erased or acknowledged
    };
    SteadyTime at = {};
    unsigned modem = 0;
    What what = What::stored;
    std::string pdu = {};
    std::string iccid = {};  ///< of the SIM that it is for
    std::uint64_t id = 0;    ///< of the message; 0: of none that was offered
    int segment = 1;
    int segments = 1;
    std::size_t place = 0;  ///< in the SIM; 0: given to the host
};

class ModelJournal final : public modem_sim::Journal {
public:
    std::vector<Submitted> submits;
    std::vector<Reported> reports;
    std::vector<InboundStep> inbound;
    unsigned dropped = 0;  ///< deliveries and reports that that the modem had to suppress

    void submit(SteadyTime at, unsigned modem, const modem_sim::SubmitEntry& entry) override {
        submits.push_back({at, modem, std::string(entry.to), std::string(entry.pdu), entry.mr,
                           std::string(entry.iccid)});
    }
    void refused(SteadyTime, unsigned, int) override {}
    void delivery(SteadyTime at, unsigned modem, const modem_sim::DeliveryEntry& entry) override {
        note(at, modem, entry);
        dropped += entry.how == "dropped" ? 1U : 0U;
    }
    void given(SteadyTime at, unsigned modem, const modem_sim::DeliveryEntry& entry) override {
        note(at, modem, entry);
    }
    void erased(SteadyTime at, unsigned modem, const modem_sim::ErasureEntry& entry) override {
        inbound.push_back({.at = at,
                           .modem = modem,
                           .what = InboundStep::What::erased,
                           .pdu = std::string(entry.pdu),
                           .iccid = std::string(entry.iccid),
                           .id = entry.id,
                           .place = entry.place});
    }
    void confirmed(SteadyTime at, unsigned modem) override {
        inbound.push_back({.at = at, .modem = modem, .what = InboundStep::What::confirmed});
    }
    void fault(SteadyTime, unsigned, std::string_view) override {}

private:
    void note(SteadyTime at, unsigned modem, const modem_sim::DeliveryEntry& entry) {
        if (entry.report) {
            reports.push_back({at, modem, std::string(entry.from), entry.mr, entry.status,
                               std::string(entry.how), std::string(entry.iccid)});
            return;
        }
        inbound.push_back({at, modem, what_of(entry.how), std::string(entry.pdu),
                           std::string(entry.iccid), entry.id, entry.segment, entry.segments,
                           entry.place});
    }
    [[nodiscard]] static InboundStep::What what_of(std::string_view how) {
        using enum InboundStep::What;
        return how == "stored"         ? stored
               : how == "direct"       ? direct
               : how == "given"        ? given
               : how == "acknowledged" ? acknowledged
                                       : dropped;
    }
};

class ModelRack {
public:
    ModelRack(const ManualClock& clock, std::uint64_t seed) : clock_(clock), random_(seed) {}

    void add(modem_sim::ModemSettings settings, unsigned baud);
    [[nodiscard]] std::unique_ptr<serial::PipeSource> port(std::size_t index);
    /// The board's power line of this modem.
    [[nodiscard]] std::unique_ptr<ports::Power> power(std::size_t index);
    [[nodiscard]] modem_sim::WiredModem& modem(std::size_t index) { return *modems_[index]; }

    /// True if the thread of this line was woken. The query resets it.
    [[nodiscard]] bool woken(std::size_t index) { return waiters_[index].take(); }
    /// Its port has something to read, or is gone.
    [[nodiscard]] bool calls(std::size_t index);

    /// Lets happen what is due; the next deadline of all.
    SteadyTime step();

    /// From now on a message to the number of one of these modems comes in there, this much later.
    void forward_own(std::chrono::milliseconds delay) { forwards_after_ = delay; }
    /// Such messages are lost on their way, or no longer.
    void lose_own(bool lost) { loses_own_ = lost; }

    ModelJournal journal;

private:
    struct OnItsWay {
        std::size_t to = 0;
        std::string from;
        std::string pdu;
    };
    void forward(const Submitted& submit);

    const ManualClock& clock_;
    std::optional<std::chrono::milliseconds> forwards_after_ = {};
    bool loses_own_ = false;
    std::size_t looked_at_ = 0;  // of the journal
    std::multimap<SteadyTime, OnItsWay> on_their_way_ = {};
    SeededRandom random_;
    std::vector<std::unique_ptr<modem_sim::WiredModem>> modems_;
    // octets that a pipe took from its modem, and that were not read yet
    std::deque<std::string> unread_;
    std::deque<std::uint32_t> bauds_;  // of the ports; like a terminal's they outlive the process
    std::deque<FlagWaiter> waiters_;   // of the lines
    std::vector<unsigned> unplugs_;    // that the lines were woken for
};

}  // namespace smsrack::test
