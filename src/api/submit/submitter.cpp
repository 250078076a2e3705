#include "src/api/submit/submitter.hpp"

#include "src/api/problem.hpp"
#include "src/api/submit/refusal_notes.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"
#include "src/rules/verdict.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

stats::Counter counter_of(const Result<ports::Accepted>& result) {
    if (result) {
        return result->repeated ? stats::Counter::messages_repeated
                                : stats::Counter::messages_accepted;
    }
    if (result.error().code == Errc::overloaded) {
        return stats::Counter::messages_refused_overload;
    }
    switch (status_of(result.error().code)) {
        case 409:
            return stats::Counter::messages_refused_conflict;
        case 503:
            return stats::Counter::messages_refused_full;
        case 500:
        case 507:
            return stats::Counter::messages_refused_storage;
        default:
            return stats::Counter::messages_refused_input;
    }
}

struct RefusedBy {
    Errc code;
    std::string_view rule;  // as the error names it; empty: whatever it names
    stats::Counter counter;
};

/// The first row that fits. What is simply wrong (a bad number, a text too long) no rule has refused.
constexpr std::array refused_by{
    RefusedBy{Errc::forbidden, "deny", stats::Counter::refused_by_destination},
    RefusedBy{Errc::forbidden, "allow", stats::Counter::refused_by_destination},
    RefusedBy{Errc::forbidden, "premium", stats::Counter::refused_by_premium},
    RefusedBy{Errc::forbidden, "opt_out", stats::Counter::refused_by_opt_out},
    RefusedBy{Errc::forbidden, "recipient_limit", stats::Counter::refused_by_limit},
    RefusedBy{Errc::forbidden, "quiet_hours", stats::Counter::refused_by_quiet_hours},
    RefusedBy{Errc::forbidden, "known_clients", stats::Counter::refused_by_client},
    RefusedBy{Errc::forbidden, "clients_max", stats::Counter::refused_by_client},
    RefusedBy{Errc::forbidden, "", stats::Counter::refused_by_other},
    RefusedBy{Errc::overloaded, "", stats::Counter::refused_by_overload},
    RefusedBy{Errc::queue_full, "", stats::Counter::refused_by_capacity},
    RefusedBy{Errc::duplicate, "", stats::Counter::refused_by_duplicate},
    RefusedBy{Errc::conflict, "", stats::Counter::refused_by_batch},
};

void count_rule(stats::Stats& stats, const Error& error) {
    const std::string_view rule = rules::rule_of(error);
    const auto* const row = std::ranges::find_if(refused_by, [&](const RefusedBy& by) {
        return by.code == error.code && (by.rule.empty() || by.rule == rule);
    });
    if (row != refused_by.end()) {
        stats.add(row->counter);
    }
}

wire::HttpResponse answer_of(const Result<ports::Accepted>& result) {
    if (!result) {
        return problem(result.error());
    }
    wire::HttpResponse response{.status = 202};
    wire::JsonWriter json(response.body);
    append_accepted(json, *result);
    return response;
}

}  // namespace

Submitter::Submitter(const ApiParts& parts)
    : parts_(parts),
      answers_(std::make_shared<Handover<SubmitAnswer>>(
          parts.loop, [&parts](std::vector<SubmitAnswer>& answers) {
              const SteadyTime now = parts.clock.steady();
              for (SubmitAnswer& answer : answers) {
                  count_submit(parts, answer.sender, answer.result);
                  parts.stats.observe(stats::Timing::intake, now - answer.since);
                  answer.responder->send(answer_of(answer.result));
              }
          })) {}

void Submitter::submit(const intake::SubmitRequest& request, wire::ResponderPtr responder,
                       SteadyTime since) {
    parts_.front_ends.heard(request.client);
    parts_.intake.submit(request,
                         [answers = answers_, responder = std::move(responder), since,
                          sender = Sender(request)](Result<ports::Accepted> result) mutable {
                             answers->push({.responder = std::move(responder),
                                            .since = since,
                                            .sender = std::move(sender),
                                            .result = std::move(result)});
                         });
}

void append_accepted(wire::JsonWriter& json, const ports::Accepted& accepted) {
    json.object([&] {
        json.member("id", id_text(accepted.id));
        json.member("state", message_state_name(accepted.state));
        json.member("segments", accepted.segments);
        if (accepted.kept) {
            json.member("kept", kept_names.at(static_cast<std::size_t>(*accepted.kept)));
        }
        if (accepted.expected_at) {
            json.member("expected_at", time_text(*accepted.expected_at));
        }
    });
}

void count_submit(const ApiParts& parts, const Sender& sender,
                  const Result<ports::Accepted>& result) {
    parts.stats.add(counter_of(result));
    if (!result) {
        count_refusal(parts, sender, result.error());
    }
}

void count_refusal(const ApiParts& parts, const Sender& sender, const Error& error) {
    count_rule(parts.stats, error);
    if (parts.refusals != nullptr) {
        parts.refusals->note(sender.client, sender.owner, error);
    }
}

}  // namespace smsrack::api
