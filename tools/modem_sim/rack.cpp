#include "tools/modem_sim/rack.hpp"

#include "tools/modem_model/faults/chance.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>

namespace smsrack::modem_sim {
namespace {

ModemSettings settings_of(const Options& options, unsigned index, TimeBase start) {
    ModemSettings settings;
    settings.index = index;
    settings.identity = make_identity(options.first + index);
    settings.time_base = start;
    settings.cpin_ok = options.cpin_ok;
    settings.cfun1_keeps = options.cfun1_keeps;
    settings.wind16 = !options.no_wind16;
    settings.mem3 = options.mem3;
    settings.pin = options.pin;
    settings.max_baud = options.max_baud;
    settings.boot = std::chrono::milliseconds(options.boot_ms);
    settings.service = {
        .mean = std::chrono::microseconds(static_cast<std::int64_t>(options.service_ms * 1000.0)),
        .exponential = options.service_exponential};
    settings.report_delay = options.report_ms < 0
                                ? std::nullopt
                                : std::optional(std::chrono::milliseconds(options.report_ms));
    settings.report_fail = options.report_fail;
    settings.sm_places = options.sim_places;
    settings.sr_places = index < options.no_sr ? 0 : settings.sr_places;
    return settings;
}

}  // namespace

Rack::Rack(const Options& options, TimeBase start, JsonLog& log)
    : inbound_rate_(options.inbound_rate),
      random_(options.seed),
      rain_random_(options.seed + 1),
      rain_({.modems = options.modems,
             .per_hour = options.faults,
             .lasting = std::chrono::seconds(options.fault_s)},
            rain_random_, start.steady),
      start_(start),
      own_numbers_(options.first, options.modems, std::chrono::milliseconds(options.own_ms), log) {
    plan_inbound(start.steady);
}

Result<std::unique_ptr<Rack>> Rack::open(const Options& options, TimeBase start, Poller& poller,
                                         JsonLog& log) {
    std::unique_ptr<Rack> rack(new Rack(options, start, log));
    for (unsigned i = 0; i < options.modems; ++i) {
        ModemPort::Place place{
            .link = std::filesystem::path(options.dir) / fmt::format("modem{}", i),
            .abstract_name = options.abstract_prefix.empty()
                                 ? std::string{}
                                 : fmt::format("{}{}", options.abstract_prefix, i),
            .strict_baud = options.strict_baud};
        rack->ports_.push_back(
            std::make_unique<ModemPort>(poller, std::move(place), settings_of(options, i, start),
                                        options.baud, rack->random_.next(), rack->own_numbers_));
        if (auto opened = rack->ports_.back()->open(); !opened) {
            return std::unexpected(opened.error());
        }
    }
    rack->deadlines_.assign(options.modems, start.steady);
    return rack;
}

SteadyTime Rack::step(SteadyTime now) {
    while (next_inbound_ <= now) {
        (void)send_inbound(next_inbound_, random_.below(size()), {.text = "inbound {id}"});
        plan_inbound(next_inbound_);
    }
    while (rain_.due() <= now) {
        const TimedFault next = rain_.take();
        (void)ports_[next.modem]->inject(now, next.fault);
    }
    bring_own(now);
    SteadyTime first = std::min(next_inbound_, rain_.due());
    for (std::size_t i = 0; i < ports_.size(); ++i) {
        const bool touched = ports_[i]->take_touched();
        if (touched || deadlines_[i] <= now) {
            deadlines_[i] = ports_[i]->step(now);
        }
        first = std::min(first, deadlines_[i]);
    }
    return std::min(first, own_numbers_.due());
}

void Rack::bring_own(SteadyTime now) {
    while (own_numbers_.due() <= now) {
        const SteadyTime at = own_numbers_.due();
        const OwnNumbers::OnItsWay next = own_numbers_.take();
        const std::string from = own_numbers_.number_of(next.from);
        (void)send_inbound(
            now, next.to,
            {.from = from, .pdu = forwarded(next.submit, from, start_.wall_at(at)).octets});
    }
}

Result<> Rack::calm(SteadyTime now) {
    rain_.stop();
    for (const auto& port : ports_) {
        port->modem().calm();
        for (const FaultRow& row : faults()) {
            if (!row.ended_by) {
                continue;
            }
            if (auto ended = port->inject(now, make_fault(*row.ended_by)); !ended) {
                return ended;
            }
        }
    }
    return {};
}

bool Rack::send_inbound(SteadyTime now, std::size_t modem, Inbound message) {
    message.id = ++last_id_;
    if (message.from.empty()) {
        message.from = fmt::format("+336110{:05}", message.id % 100'000);
    }
    constexpr std::string_view mark = "{id}";
    if (const auto at = message.text.find(mark); at != std::string::npos) {
        message.text.replace(at, mark.size(), fmt::to_string(message.id));
    }
    return ports_[modem]->modem().offer(now, message);
}

void Rack::plan_inbound(SteadyTime at) {
    if (inbound_rate_ > 0) {
        next_inbound_ =
            at + std::chrono::duration_cast<std::chrono::nanoseconds>(
                     std::chrono::duration<double>(exponential(random_) / inbound_rate_));
    }
}

}  // namespace smsrack::modem_sim
