/// One simulated modem in simulated time, with a journal that remembers.
#pragma once

#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/modem_model/modem_model.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::test {

class RememberingJournal final : public modem_sim::Journal {
public:
    struct Submit {
        SteadyTime at;
        std::string pdu;
        std::string to;
        int mr;
        std::chrono::microseconds service;
        modem_sim::HostGaps gaps = {};
    };
    struct Delivery {
        SteadyTime at;
        bool report;
        std::string how;
        std::uint64_t id;
        std::string text;
        int mr;
        int status;
        std::string iccid;
    };

    void submit(SteadyTime at, unsigned, const modem_sim::SubmitEntry& entry) override {
        submits.push_back({at, std::string(entry.pdu), std::string(entry.to), entry.mr,
                           entry.service, entry.gaps});
    }
    void refused(SteadyTime, unsigned, int cms_code) override { refusals.push_back(cms_code); }
    void delivery(SteadyTime at, unsigned, const modem_sim::DeliveryEntry& entry) override {
        deliveries.push_back({at, entry.report, std::string(entry.how), entry.id,
                              std::string(entry.text), entry.mr, entry.status,
                              std::string(entry.iccid)});
    }
    void erased(SteadyTime, unsigned, const modem_sim::ErasureEntry& entry) override {
        erased_ids.push_back(entry.id);
    }
    void confirmed(SteadyTime, unsigned) override { ++confirmations; }
    void fault(SteadyTime, unsigned, std::string_view name) override { faults.emplace_back(name); }

    std::vector<Submit> submits;
    std::vector<int> refusals;
    std::vector<Delivery> deliveries;
    std::vector<std::string> faults;
    std::vector<std::uint64_t> erased_ids;
    int confirmations = 0;
};

class Rig {
public:
    /// Echo off, +CM ERROR on, as every program sets it first.
    explicit Rig(modem_sim::ModemSettings settings = {})
        : model(with_identity(settings), random, journal) {
        (void)say("ATE0\r");
        (void)say("AT+CMEE=1\r");
    }

    /// What the modem says at once in answer to this.
    std::string say(std::string_view octets) {
        model.feed(now, octets);
        (void)model.step(now);
        return model.take_output();
    }
    /// A command line.
    std::string at(std::string_view command) { return say(std::string(command) + "\r"); }

    /// What the modem says in the time that passes. Every deadline of it is kept on the way.
    std::string pass(std::chrono::microseconds time) {
        const SteadyTime end = now + time;
        for (SteadyTime due = model.step(now); due <= end; due = model.step(now)) {
            now = due;
        }
        now = end;
        (void)model.step(now);
        return model.take_output();
    }

    /// AT+CMGS and the PDU; the answer where there is no service time.
    std::string send(std::string_view pdu_hex = sample_pdu) {
        const std::string prompt = at("AT+CMGS=" + std::to_string(pdu_hex.size() / 2 - 1));
        return prompt == "\r\n> " ? say(std::string(pdu_hex) + "\x1A") : prompt;
    }

    void inject(const modem_sim::Fault& fault) {
        model.inject(now, fault);
        (void)model.step(now);
    }
    void receive(std::string_view text, std::uint64_t id = 1) {
        REQUIRE(model.offer(now, {.id = id, .from = "+33611223344", .text = std::string(text)}));
        (void)model.step(now);
    }

    /// To +33612345678, "hellohello", with a status report, no service centre of its own.
    static constexpr std::string_view sample_pdu = "0021000B913316325476F800000AE8329BFD4697D9EC37";

    SteadyTime now = SteadyTime{} + std::chrono::hours(1);
    modem_sim::SplitMix random{7};
    RememberingJournal journal;
    modem_sim::ModemModel model;

private:
    modem_sim::ModemSettings with_identity(modem_sim::ModemSettings settings) const {
        settings.identity = modem_sim::make_identity(settings.index);
        settings.time_base = {.steady = now,
                              .wall = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21}};
        return settings;
    }
};

}  // namespace smsrack::test
