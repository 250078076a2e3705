#include "firmware-host/rack_settings.hpp"

#include "db/engine/open_rights.hpp"
#include "firmware-host/setup/pin.hpp"
#include "firmware-host/setup/zone_file.hpp"
#include "firmware-host/system/pin_key.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace smsrack::host {
namespace {

dispatch::KeptLines kept_lines(const config::PrioritySettings& priority) {
    if (!priority.reserve) {
        return {};
    }
    return {.lines = static_cast<std::size_t>(priority.reserve->lines),
            .least = static_cast<Level>(priority.reserve->level)};
}

QuotaLimits quota_limits(const config::QuotaSettings& quota) {
    const auto limit = [](const std::optional<std::int64_t>& value) {
        return value ? std::optional(static_cast<std::uint32_t>(*value)) : std::nullopt;
    };
    return {.by_window = {limit(quota.per_minute), limit(quota.per_hour), limit(quota.per_day),
                          limit(quota.per_month), limit(quota.recipients_per_month)}};
}

/// Days turn where those of quotas do. That zone and days are good was looked at before (check_zones, config).
scaling::Calendar calendar_of(const config::Settings& settings) {
    if (settings.scaling.calendar.empty()) {
        return {};
    }
    return scaling::Calendar::parse(settings.scaling.calendar,
                                    read_zone(settings.defaults.quota_zone).value_or(TimeZone{}))
        .value_or(scaling::Calendar{});
}

ports::SimPolicy sim_policy(config::SimPolicy policy) {
    using From = config::SimPolicy;
    using To = ports::SimPolicy;
    return policy == From::adopt ? To::adopt : policy == From::refuse ? To::refuse : To::warn;
}

dispatch::UncertainPolicy uncertain_policy(config::UncertainPolicy policy) {
    using From = config::UncertainPolicy;
    using To = dispatch::UncertainPolicy;
    return policy == From::resend ? To::resend : policy == From::hold ? To::hold : To::report;
}

}  // namespace

std::set<std::string> groups_of(const config::Settings& settings) {
    std::set<std::string> groups;
    for (const config::ModemSettings& modem : settings.modems) {
        groups.insert(modem.line.group);
    }
    return groups;
}

NumberPlan plan_of(const config::LineSettings& line) {
    return {.country = line.country, .trunk = line.trunk};
}

dispatch::DispatchSettings dispatch_settings(const config::Settings& settings) {
    return {.retry = {.limit = static_cast<std::uint16_t>(settings.queue.retry_limit),
                      .base = settings.queue.retry_base,
                      .uncertain_after = settings.queue.uncertain_after,
                      .uncertain = uncertain_policy(settings.queue.uncertain)},
            .disconnect = settings.defaults.disconnect,
            .cooling = {.after = static_cast<std::uint32_t>(settings.queue.cool_after),
                        .first = settings.queue.cool,
                        .most = settings.queue.cool_max},
            .ageing = {.on = settings.priority.ageing, .max_wait = settings.priority.max_wait},
            .kept = kept_lines(settings.priority)};
}

std::uint32_t n_max_of(const config::Settings& settings) {
    const auto modems = static_cast<std::int64_t>(std::max<std::size_t>(settings.modems.size(), 1));
    return static_cast<std::uint32_t>(std::min(settings.scaling.n_max.value_or(modems), modems));
}

scaling::PolicyName policy_of(const config::NodeScaling& scaling) {
    return scaling.policy == config::ScalingPolicy::paper ? scaling::PolicyName::paper
                                                          : scaling::PolicyName::smsrack;
}

scaling::ScalingRules scaling_rules(const config::NodeScaling& scaling, std::uint32_t n_max) {
    return {.n_min = std::min(static_cast<std::uint32_t>(scaling.n_min), n_max),
            .n_max = n_max,
            .samples = static_cast<std::size_t>(scaling.samples),
            .period = scaling.period,
            .idle = scaling.idle,
            .busy = scaling.busy,
            .node_rate = scaling.node_rate};
}

dispatch::ScalerSettings scaler_settings(const config::Settings& settings) {
    const config::ScalingSettings& scaling = settings.scaling;
    const std::uint32_t n_max = n_max_of(settings);
    auto slow_after = settings.defaults.submit_slow;
    for (const config::ModemSettings& modem : settings.modems) {
        slow_after = std::max(slow_after, modem.line.submit_slow);
    }
    return {.enabled = scaling.enabled,
            .policy = policy_of(scaling),
            .rules = scaling_rules(scaling, n_max),
            .learn_node_rate = scaling.node_rate == 0,
            .capacity = settings.queue.capacity,
            .forecasts = settings.cluster && settings.cluster->scaling.enabled,
            .radio_off = scaling.radio_off,
            .calendar = calendar_of(settings),
            .slow_after = slow_after};
}

dispatch::SelfSmsSettings self_sms_settings(const config::Settings& settings) {
    dispatch::SelfSmsSettings self_sms{
        .every = settings.priority.self_sms,
        .parked_sleep = settings.scaling.enabled && settings.scaling.radio_off};
    for (const config::ModemSettings& modem : settings.modems) {
        self_sms.numbers.push_back(modem.number);
    }
    return self_sms;
}

gsm::ModemSettings modem_settings(const config::ModemSettings& modem,
                                  const config::ServiceSettings& service, Log& log) {
    gsm::ModemSettings settings{
        .port = {.path = modem.port, .baud = static_cast<std::uint32_t>(modem.line.baud)},
        .heartbeat = modem.line.heartbeat,
        .submit_slow = modem.line.submit_slow,
        .submit_timeout = modem.line.submit_timeout,
        .command_gap = modem.line.command_gap,
        .roaming = modem.line.roaming,
        .record_texts = service.record_texts,
        .smsc = modem.line.smsc,
        .keep_link = modem.line.keep_link == config::KeepLink::automatic,
        .fast_baud = static_cast<std::uint32_t>(modem.line.fast_baud),
        .push = modem.line.push};
    if (modem.power) {
        settings.power_off = modem.power->off;
    }
    if (modem.pin) {
        auto pin = read_pin(*modem.pin);
        const auto key = pin_key(service.state_dir);
        const auto right = modem.pin->file.empty() ? std::nullopt : db::open_right(modem.pin->file);
        if (right) {
            log.warn("rights_too_open", {{"what", *right}, {"repair", db::repair_command}});
        }
        if (pin && key) {
            settings.pin_value = keyed_hash64(*key, *pin);
            settings.pin = std::move(*pin);
        } else {
            log.error("pin_unreadable", {{"modem", modem.name},
                                         {"error", (pin ? key.error() : pin.error()).context}});
        }
    }
    return settings;
}

line::LineSettings line_settings(const config::ModemSettings& modem, ModemId id,
                                 const config::ScalingSettings& scaling) {
    return {.id = id,
            .name = modem.name,
            .disconnect = modem.line.disconnect,
            .number = modem.number,
            .plan = plan_of(modem.line),
            .pace = modem.line.pace,
            .pace_jitter = modem.line.pace_jitter,
            .sim_policy = sim_policy(modem.line.sim_policy),
            .rest = {.radio_off = scaling.enabled && scaling.radio_off,
                     .listen = scaling.listen,
                     .awake = scaling.awake}};
}

Result<std::unique_ptr<line::SimQuota>> quota_of(const config::ModemSettings& modem, bool is_shared,
                                                 const Clock& clock) {
    const QuotaLimits limits = quota_limits(modem.quota.value_or(config::QuotaSettings{}));
    if (!limits.any() && !is_shared) {
        return nullptr;
    }
    auto zone = read_zone(modem.line.quota_zone);
    if (!zone) {
        return std::unexpected(std::move(zone.error()));
    }
    return std::make_unique<line::SimQuota>(
        line::SimQuotaSettings{
            .limits = limits,
            .zone = *std::move(zone),
            .warn_percent = static_cast<std::uint32_t>(modem.line.quota_warn_percent),
            .is_shared = is_shared},
        clock);
}

}  // namespace smsrack::host
