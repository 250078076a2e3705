#include "firmware-host/gate/webhook/take_words.hpp"

#include "src/base/time_text.hpp"
#include "src/wire/json.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::gate {
namespace {

using wire::Json;

constexpr std::string_view id_front = "evt_";

std::string text_of(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::int64_t number_of(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

template <typename Take>
void each_of(const Json& object, const char* name, Take take) {
    const auto found = object.find(name);
    if (found != object.end() && found->is_array()) {
        for (const Json& one : *found) {
            if (one.is_object()) {
                take(one);
            }
        }
    }
}

std::string with_front(const std::string& id) {
    return id.starts_with(id_front) ? id : std::string(id_front) + id;
}

void append_outcome(wire::JsonWriter& json, const PostOutcome& outcome) {
    json.member("ms", outcome.took.count());
    if (outcome.status != 0) {
        json.member("status", outcome.status);
    } else {
        json.member("error", outcome.error);
    }
}

}  // namespace

Result<TakeAnswer> take_answer_of(std::string_view text) {
    const auto json = wire::parse_json(text);
    if (!json || !json->is_object()) {
        return fail(Errc::protocol, "the service's answer is not JSON");
    }
    const std::string state = text_of(*json, "state");
    TakeAnswer answer{.is_open = state == "open",
                      .is_off = state == "off",
                      .parallel = static_cast<std::size_t>(
                          std::max<std::int64_t>(1, number_of(*json, "parallel")))};
    if (json->contains("pause_ms")) {
        answer.pause =
            std::chrono::milliseconds(std::max<std::int64_t>(0, number_of(*json, "pause_ms")));
    }
    each_of(*json, "deliveries", [&](const Json& one) {
        const std::string number = text_of(one, "event");
        answer.deliveries.push_back(
            {.event = {.id = with_front(number), .body = text_of(one, "body")},
             .number = number,
             .attempt = number_of(one, "attempt")});
    });
    each_of(*json, "tests", [&](const Json& one) {
        answer.tests.push_back({.id = text_of(one, "test"), .body = text_of(one, "body")});
    });
    const auto has_no_id = [](const auto& id) { return id.empty(); };
    if (std::ranges::any_of(answer.deliveries, has_no_id, &TakenDelivery::number) ||
        std::ranges::any_of(answer.tests, has_no_id, &posting::WebhookEvent::id)) {
        return fail(Errc::protocol, "the service gives an event without its id");
    }
    return answer;
}

std::string take_json(const TakeOrder& order) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("gate", order.gate);
        json.member("config", order.config);
        json.member("room", order.room);
        json.list("holding", order.holding);
        if (!order.unusable.empty()) {
            json.member("unusable", order.unusable);
        }
    });
}

std::string results_json(std::string_view gate, const std::vector<DeliveryResult>& results,
                         const std::vector<TestResult>& tests) {
    return wire::json_object([&](wire::JsonWriter& json) {
        json.member("gate", gate);
        json.objects("results", results, [&](const DeliveryResult& result) {
            json.member("event", result.number);
            json.member("attempt", result.attempt);
            json.member("at", time_text(result.at));
            append_outcome(json, result.outcome);
            if (result.outcome.retry_after) {
                json.member("retry_after_s", result.outcome.retry_after->count());
            }
            json.member("answer", result.outcome.answer);
        });
        json.objects("tests", tests, [&](const TestResult& test) {
            json.member("test", test.id);
            append_outcome(json, test.outcome);
            json.member("address", test.outcome.address);
            json.member("tls", test.outcome.tls);
            json.member("advice", test.outcome.advice);
        });
    });
}

}  // namespace smsrack::gate
