// A second family is one profile and one personality of the simulator: here those without a manner of their own.
#include "drivers/gsm/gsm_modem.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/scripted_pipe.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/modem_model/modem_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

constexpr Profile plain_family = {};

class CountedSubmits final : public modem_sim::Journal {
public:
    void submit(SteadyTime, unsigned, const modem_sim::SubmitEntry&) override { ++submits; }
    void refused(SteadyTime, unsigned, int) override {}
    void delivery(SteadyTime, unsigned, const modem_sim::DeliveryEntry&) override {}
    void fault(SteadyTime, unsigned, std::string_view) override {}

    int submits = 0;
};

/// The driver with the plain profile, and a modem that ends AT+CPIN? with OK and does not restart at AT+CFUN=1.
class FamilyBench {
public:
    FamilyBench()
        : model_({.identity = modem_sim::make_identity(0),
                  .time_base = {.steady = clock_.steady(), .wall = clock_.wall()},
                  .cpin_ok = true,
                  .cfun1_keeps = true},
                 random_, journal_),
          modem_("m0", plain_family, {.port = {.path = "/dev/ttyTEST"}},
                 std::make_unique<test::ScriptedSource>(wire_), clock_, log_) {}

    /// The next event of this kind within a minute; everything received is acknowledged.
    template <typename Event>
    std::optional<Event> await() {
        for (const SteadyTime end = clock_.steady() + 1min; clock_.steady() < end;) {
            const SteadyTime next = modem_.step(clock_.steady());
            while (auto event = modem_.next_event()) {
                if (const auto* pdu = std::get_if<ports::ReceivedPdu>(&*event)) {
                    modem_.acknowledge(pdu->token);
                }
                if (auto* found = std::get_if<Event>(&*event)) {
                    return std::move(*found);
                }
            }
            model_.feed(clock_.steady(), std::exchange(wire_.from_host, {}));
            const SteadyTime model_next = model_.step(clock_.steady());
            wire_.to_host += model_.take_output();
            if (wire_.to_host.empty()) {
                clock_.advance_to(std::clamp(std::min(next, model_next), clock_.steady(), end));
            }
        }
        return std::nullopt;
    }

    GsmModem& modem() { return modem_; }
    modem_sim::ModemModel& model() { return model_; }
    [[nodiscard]] int submits() const { return journal_.submits; }
    [[nodiscard]] SteadyTime now() const { return clock_.steady(); }

private:
    test::ManualClock clock_;
    test::QuietLog log_;
    test::Wire wire_;
    modem_sim::SplitMix random_{7};
    CountedSubmits journal_;
    modem_sim::ModemModel model_;
    GsmModem modem_;
};

/// To +33612345678, "hellohello", with a status report.
const std::string submit_pdu{
    "\x00\x21\x00\x0B\x91\x33\x16\x32\x54\x76\xF8\x00\x00\x0A\xE8\x32\x9B\xFD\x46\x97\xD9\xEC\x37",
    23};

}  // namespace

TEST_CASE("GsmModem: a family without manners of its own is set up, sends, receives and sleeps") {
    FamilyBench bench;
    bench.modem().open({});
    const auto ready = bench.await<ports::ModemReady>();
    REQUIRE(ready);
    CHECK(ready->identity.imei == modem_sim::make_identity(0).imei);
    CHECK(ready->identity.imsi == modem_sim::make_identity(0).imsi);
    CHECK(ready->identity.iccid.empty());  // how it is asked for is the family's

    bench.modem().begin_submit(submit_pdu);
    bench.modem().release_pdu();
    const auto done = bench.await<ports::SubmitDone>();
    REQUIRE(done);
    CHECK(done->outcome.kind == OutcomeKind::accepted);
    CHECK(bench.submits() == 1);

    const auto report = bench.await<ports::ReceivedPdu>();
    REQUIRE(report);
    CHECK(report->status_report);
    REQUIRE(bench.await<ports::PduErased>());
    REQUIRE(bench.model().offer(bench.now(), {.id = 1, .from = "+33698765432", .text = "STOP"}));
    const auto received = bench.await<ports::ReceivedPdu>();
    REQUIRE(received);
    CHECK_FALSE(received->status_report);
    REQUIRE(bench.await<ports::PduErased>());

    bench.modem().keep_radio_off(true);
    REQUIRE(bench.await<ports::ModemAsleep>());
    bench.modem().keep_radio_off(false);
    CHECK(bench.await<ports::ModemReady>());
}

}  // namespace smsrack::gsm
