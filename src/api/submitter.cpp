#include "src/api/submitter.hpp"

#include "src/api/problem.hpp"
#include "src/api/text.hpp"
#include "src/base/time_text.hpp"

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
          parts.loop,
          [&stats = parts.stats, &clock = parts.clock](std::vector<SubmitAnswer>& answers) {
              const SteadyTime now = clock.steady();
              for (SubmitAnswer& answer : answers) {
                  count_submit(stats, answer.result);
                  stats.observe(stats::Timing::intake, now - answer.since);
                  answer.responder->send(answer_of(answer.result));
              }
          })) {}

void Submitter::submit(const intake::SubmitRequest& request, wire::ResponderPtr responder,
                       SteadyTime since) {
    parts_.intake.submit(request, [answers = answers_, responder = std::move(responder),
                                   since](Result<ports::Accepted> result) mutable {
        answers->push(
            {.responder = std::move(responder), .since = since, .result = std::move(result)});
    });
}

void append_accepted(wire::JsonWriter& json, const ports::Accepted& accepted) {
    json.begin_object();
    json.member("id", id_text(accepted.id));
    json.member("state", message_state_name(accepted.state));
    json.member("segments", accepted.segments);
    if (accepted.expected_at) {
        json.member("expected_at", time_text(*accepted.expected_at));
    }
    json.end_object();
}

void count_submit(stats::Stats& stats, const Result<ports::Accepted>& result) {
    stats.add(counter_of(result));
}

}  // namespace smsrack::api
