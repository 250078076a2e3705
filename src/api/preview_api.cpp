#include "src/api/calls.hpp"
#include "src/api/submit/submit_reader.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using namespace std::chrono_literals;

/// Why the message would not leave at once, as a word and a sentence; empty where it would.
struct Obstacle {
    std::string why = {};
    std::string sentence = {};
    std::optional<WallTime> until = {};
    bool refused = false;  ///< it would not be accepted
};

/// What the calls ask of: as it is when the request is read.
struct Asked {
    const ApiParts& parts;
    intake::Preview preview;
    intake::SubmitRequest request;
    WallTime now;
    bool opt_out_exempt = false;
};

Obstacle refused(std::string_view why, std::string sentence,
                 std::optional<WallTime> until = std::nullopt) {
    return {
        .why = std::string(why), .sentence = std::move(sentence), .until = until, .refused = true};
}

Obstacle refused(const rules::Refusal& refusal) {
    return refused(rules::rule_name(refusal.rule), refusal.sentence, refusal.until);
}

/// The rows that count, newest first; the store counts the same when a message is accepted.
Result<std::vector<WallTime>> sent_lately(ports::StoreReader& reader, const std::string& to,
                                          WallTime since) {
    constexpr std::size_t rows_max = 10'000;  // what the limits can ask for
    const auto rows = reader.messages({.to = to, .since = since, .limit = rows_max});
    if (!rows) {
        return std::unexpected(rows.error());
    }
    std::vector<WallTime> times;
    for (const ports::MessageRow& row : *rows) {
        if (row.state != MessageState::cancelled && row.state != MessageState::expired &&
            row.state != MessageState::failed) {
            times.push_back(row.created_at);
        }
    }
    return times;
}

/// What the store would say of the client; it says the same when a message is accepted.
Result<Obstacle> obstacle_of_client(ports::StoreReader& reader, const Asked& asked) {
    if (asked.request.client.empty()) {
        return Obstacle{};
    }
    const auto limits = asked.parts.intake.client_limits(asked.request.client);
    if (!limits) {
        return refused("known_clients", limits.error().context);
    }
    const auto row = reader.client(asked.request.client);
    if (!row) {
        return row.error().code == Errc::not_found ? Result<Obstacle>(Obstacle{})
                                                   : std::unexpected(row.error());
    }
    if (row->blocked_at) {
        return refused("client_blocked",
                       "client " + row->name + " is blocked since " + time_text(*row->blocked_at));
    }
    const auto full = [&](const char* why, std::int64_t most, const char* what) {
        return refused(why, "client " + row->name + " has " + std::to_string(most) + what);
    };
    if (limits->buffered_max && row->buffered >= *limits->buffered_max) {
        return full("client_buffered_max", *limits->buffered_max,
                    " results that it has not acknowledged");
    }
    if (limits->waiting_max && row->waiting >= *limits->waiting_max) {
        return full("client_waiting_max", *limits->waiting_max, " messages that wait");
    }
    return Obstacle{};
}

Result<std::optional<rules::Refusal>> recipient_limit(ports::StoreReader& reader,
                                                      const Asked& asked) {
    const RecipientLimits& limits = asked.parts.intake.limits();
    if (!limits.per_hour && !limits.per_day) {
        return std::nullopt;
    }
    const auto times =
        sent_lately(reader, asked.preview.to, asked.now - (limits.per_day ? 24h : 1h));
    if (!times) {
        return std::unexpected(times.error());
    }
    std::optional<rules::Refusal> refusal;
    const auto look = [&](std::optional<std::uint32_t> limit, std::chrono::hours window,
                          const char* words) {
        if (limit && times->size() >= *limit && (*times)[*limit - 1] > asked.now - window) {
            refusal = {.rule = rules::Rule::recipient_limit,
                       .sentence = std::to_string(*limit) + words,
                       .until = (*times)[*limit - 1] + window};
        }
    };
    look(limits.per_hour, 1h, " in an hour to one number");
    look(limits.per_day, 24h, " in a day to one number");
    return refusal;
}

/// Of rules that ask for rows.
Result<std::optional<rules::Refusal>> stored_refusal(ports::StoreReader& reader,
                                                     const Asked& asked) {
    const auto opt_out = reader.opt_out(asked.preview.to);
    if (!opt_out) {
        return std::unexpected(opt_out.error());
    }
    if (*opt_out && !asked.opt_out_exempt) {
        return rules::Refusal{
            .rule = rules::Rule::opt_out,
            .sentence = "the recipient wants no messages since " + time_text((*opt_out)->at)};
    }
    return recipient_limit(reader, asked);
}

Obstacle pause_of_lines(const Asked& asked) {
    const intake::Preview& preview = asked.preview;
    const auto pause = asked.parts.rack.group_pause(preview.group, preview.segments, preview.to);
    if (!pause) {
        return {};
    }
    if (!pause->until) {
        return {.why = pause->reason, .sentence = "no modem of the group is ready"};
    }
    return {
        .why = pause->reason,
        .sentence = (pause->reason == "quota" ? "the quotas of the group's SIMs are spent until "
                                              : "the group's SIMs rest after refusals until ") +
                    time_text(*pause->until),
        .until = pause->until};
}

/// Of the reasons that keep it back it names the lasting ones first: refusals, an operator's pause,
/// times, then lines.
Result<Obstacle> obstacle_of(ports::StoreReader& reader, const Asked& asked) {
    if (asked.preview.refused) {
        return refused(*asked.preview.refused);
    }
    auto client = obstacle_of_client(reader, asked);
    if (!client || client->refused) {
        return client;
    }
    const auto refusal = stored_refusal(reader, asked);
    if (!refusal) {
        return std::unexpected(refusal.error());
    }
    if (*refusal) {
        return refused(**refusal);
    }
    const auto pauses = asked.parts.rack.status().pauses;
    const auto* const pause = ports::pause_of(pauses, asked.preview.group, asked.request.batch);
    if (pause != nullptr && pause->cancelled) {
        return refused("batch_cancelled", ports::pause_text(*pause));
    }
    if (asked.preview.refusal) {
        return refused("overloaded", asked.preview.refusal->context,
                       asked.now + asked.preview.refusal->retry_after.value_or(0ms));
    }
    if (pause != nullptr) {
        return Obstacle{.why = "paused", .sentence = ports::pause_text(*pause)};
    }
    if (asked.preview.quiet_until) {
        return Obstacle{.why = "quiet_hours",
                        .sentence = "quiet hours until " + time_text(*asked.preview.quiet_until),
                        .until = asked.preview.quiet_until};
    }
    if (asked.request.not_before && *asked.request.not_before > asked.now) {
        return Obstacle{.why = "not_before",
                        .sentence = "not before " + time_text(*asked.request.not_before),
                        .until = asked.request.not_before};
    }
    return pause_of_lines(asked);
}

/// Of the last message to this number that a line took; empty: there was none.
Result<std::string> known_modem(ports::StoreReader& reader, const Asked& asked) {
    constexpr std::size_t looked_at = 20;
    if (!asked.preview.sticky) {
        return std::string();
    }
    const auto rows = reader.messages({.to = asked.preview.to, .limit = looked_at});
    if (!rows) {
        return std::unexpected(rows.error());
    }
    for (const ports::MessageRow& row : *rows) {
        if (was_sent(row.state) && !row.modem.empty()) {
            return row.modem;
        }
    }
    return std::string();
}

/// What a sticky route decides for it, in words.
std::string sticky_text(const Asked& asked, const std::string& modem) {
    if (modem.empty()) {
        return "sticky: no message has gone to this number yet; any modem may take it";
    }
    for (const ports::LineView& line : asked.parts.rack.lines()) {
        if (line.name == modem && line.group == asked.preview.group &&
            line.link == ports::LinkState::active && line.manual == ports::ManualState::open &&
            !line.parked && !line.pause) {
            return "sticky: by " + modem + ", which sent to this number last";
        }
    }
    return "sticky: " + modem +
           " sent to this number last and can't now; another modem takes it, and is known from "
           "then on";
}

std::string body_of(const intake::Preview& preview, const Obstacle& obstacle,
                    const std::string& sticky) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("to", preview.to);
        json.member("encoding", preview.encoding);
        json.member("segments", preview.segments);
        json.member("units", preview.units);
        json.member("units_per_segment", preview.units_per_segment);
        json.member("group", preview.group);
        json.member("why_group", preview.why_group);
        member_or_null(json, "sticky", sticky);
        json.member("priority", preview.level);
        json.member("expires_at", time_text(preview.expires_at));
        member_or_null(json, "why", obstacle.why);
        member_or_null(json, "why_not_now", obstacle.sentence);
        member_or_null(json, "wait_until", obstacle.until);
        json.member("refused", obstacle.refused);
    });
}

}  // namespace

void preview_message(Call call) {
    auto submit = submit_of(call.request, call.caller);
    if (!submit) {
        return answer_problem(call, submit.error());
    }
    auto preview = call.parts.intake.preview(*submit);
    if (!preview) {
        return answer_problem(call, preview.error());
    }
    const bool exempt = call.settings.opt_out.exempts(preview->group, preview->level);
    answer_from_store(call,
                      [asked = Asked{.parts = call.parts,
                                     .preview = std::move(*preview),
                                     .request = std::move(*submit),
                                     .now = call.parts.clock.wall(),
                                     .opt_out_exempt = exempt}](
                          ports::StoreReader& reader) -> Result<std::string> {
                          const auto obstacle = obstacle_of(reader, asked);
                          if (!obstacle) {
                              return std::unexpected(obstacle.error());
                          }
                          const auto modem = known_modem(reader, asked);
                          if (!modem) {
                              return std::unexpected(modem.error());
                          }
                          return body_of(asked.preview, *obstacle,
                                         asked.preview.sticky ? sticky_text(asked, *modem) : "");
                      });
}

}  // namespace smsrack::api
