/// A modem for tests: records its orders, and answers as the test orders.
#pragma once

#include "src/ports/modem.hpp"

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::test {

class ScriptedModem final : public ports::Modem {
public:
    /// "submit 00ff..", "release", "withhold", "ack 7", "pause", "read", "hold", "let
    /// go",.
    std::vector<std::string> told;
    ///< "port_changed", "order AT+CSQ"
    std::deque<ports::ModemEvent> says;
    bool able = true;
    bool reading = false;
    bool settled = true;
    bool prompted = true;  ///< it waits for release_pdu() or withhold_pdu()
    int woken = 0;         ///< how often its line was woken
    bool more_expected = false;
    ports::LineLife now_is = ports::LineLife::ready;
    ports::OpenMode mode = {};
    std::string said;  ///< its dialogue

    void open(ports::OpenMode open_mode) override { mode = open_mode; }
    SteadyTime step(SteadyTime) override { return never; }
    std::optional<ports::ModemEvent> next_event() override {
        if (says.empty()) {
            return std::nullopt;
        }
        ports::ModemEvent event = std::move(says.front());
        says.pop_front();
        return event;
    }
    [[nodiscard]] ports::LineLife life() const override { return now_is; }
    void port_changed() override { told.emplace_back("port_changed"); }
    void enter_pin(const ports::PinTry& pin, ports::PinVerdict verdict) override {
        told.push_back("pin " + pin.card + " " + std::to_string(static_cast<int>(verdict)));
    }
    void expect_more(bool more) override { more_expected = more; }
    [[nodiscard]] bool can_submit() const override { return able; }
    [[nodiscard]] bool reads_first() const override { return reading; }
    void begin_submit(std::string pdu) override { told.push_back("submit " + pdu); }
    [[nodiscard]] bool waits_for_release() const override { return prompted; }
    void release_pdu() override { told.emplace_back("release"); }
    void withhold_pdu() override { told.emplace_back("withhold"); }
    void acknowledge(std::uint32_t token) override {
        told.push_back("ack " + std::to_string(token));
    }
    void pause_reading(bool paused) override {
        if (paused != paused_) {
            told.emplace_back(paused ? "pause" : "read");
        }
        paused_ = paused;
    }
    void begin_order(ports::HandOrder order) override { told.push_back("order " + order.text); }
    void keep_radio_off(bool off) override { told.emplace_back(off ? "radio off" : "radio on"); }
    void hold(bool held) override { told.emplace_back(held ? "hold" : "let go"); }
    [[nodiscard]] bool is_settled() const override { return settled; }
    [[nodiscard]] const ports::Dialogue& dialogue() const override { return dialogue_; }
    Waiter& waiter() override { return waiter_; }

private:
    class Said final : public ports::Dialogue {
    public:
        explicit Said(const std::string& said) : said_(said) {}
        [[nodiscard]] std::string text(WallTime, std::size_t octets_max) const override {
            return said_.substr(0, octets_max);
        }

    private:
        const std::string& said_;
    };

    class Counting final : public Waiter {
    public:
        explicit Counting(int& woken) : woken_(woken) {}
        void wait_until(SteadyTime) override {}
        void wake() override { ++woken_; }

    private:
        int& woken_;
    };

    Said dialogue_{said};
    Counting waiter_{woken};
    bool paused_ = false;
};

}  // namespace smsrack::test
