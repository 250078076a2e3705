#include "src/api/webhooks/gate_requests.hpp"

#include "src/api/query.hpp"
#include "src/base/time_text.hpp"
#include "src/wire/json.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

namespace smsrack::api {
namespace {

using wire::Json;

constexpr std::size_t words_max = 500;  // octets of a sentence that is kept
constexpr std::size_t answer_max = 200;
constexpr std::size_t gate_id_max = 64;

std::unexpected<Error> wrong(std::string_view member, std::string_view what) {
    return fail(Errc::bad_request, std::string(member) + ": must be " + std::string(what));
}

/// The member as a T; `otherwise` where it is absent or null; nullopt where it is of another type.
template <typename T>
std::optional<T> value_of(const Json& object, const char* name, T otherwise) {
    const auto found = object.find(name);
    if (found == object.end() || found->is_null()) {
        return otherwise;
    }
    if constexpr (std::is_same_v<T, std::string>) {
        return found->is_string() ? std::optional(found->template get<T>()) : std::nullopt;
    } else {
        return found->is_number_integer() ? std::optional(found->template get<T>()) : std::nullopt;
    }
}

std::string cut(std::string text, std::size_t most) {
    if (text.size() > most) {
        while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) {
            --most;  // never a part of a character
        }
        text.resize(most);
    }
    return text;
}

Result<EventSeq> event_of(const Json& value, std::string_view member) {
    const auto id =
        value.is_string() ? positive_number(value.get_ref<const std::string&>()) : std::nullopt;
    return id ? Result<EventSeq>(EventSeq{*id}) : wrong(member, "the id of an event, as a text");
}

Result<Json> object_of(std::string_view body) {
    auto json = wire::parse_json(body);
    if (json && !json->is_object()) {
        return fail(Errc::bad_request, "the body must be a JSON object");
    }
    return json;
}

/// The list of this name; an empty one where it is absent.
Result<Json> list_of(const Json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end()) {
        return Json::array();
    }
    if (!found->is_array() || found->size() > gate_list_max) {
        return wrong(name, "a list of at most 1000");
    }
    return *found;
}

Result<webhook::AttemptResult> result_of(const Json& one) {
    if (!one.is_object() || !one.contains("event")) {
        return wrong("results", "objects with an event");
    }
    const auto event = event_of(one.at("event"), "results.event");
    const auto at = value_of<std::string>(one, "at", "");
    const auto attempt = value_of<std::int64_t>(one, "attempt", 0);
    const auto ms = value_of<std::int64_t>(one, "ms", 0);
    const auto status = value_of<std::int64_t>(one, "status", 0);
    const auto retry = value_of<std::int64_t>(one, "retry_after_s", 0);
    const auto error = value_of<std::string>(one, "error", "");
    const auto answer = value_of<std::string>(one, "answer", "");
    if (!event) {
        return std::unexpected(event.error());
    }
    if (!at || !ms || !retry || !error || !answer || *ms < 0 || *ms > INT32_MAX) {
        return wrong("results", "objects with at, ms, and status or error");
    }
    if (!attempt || *attempt < 1 || *attempt > INT32_MAX) {
        return wrong("results.attempt", "a number from 1");
    }
    if (!status || *status < 0 || *status > 999) {
        return wrong("results.status", "a status of HTTP");
    }
    const auto began = time_of(*at);
    if (!began) {
        return wrong("results.at", "a time");
    }
    return webhook::AttemptResult{
        .event = *event,
        .attempt = {.attempt = static_cast<std::uint32_t>(*attempt),
                    .at = *began,
                    .took = std::chrono::milliseconds(*ms),
                    .status = static_cast<int>(*status),
                    .error = cut(*error, words_max),
                    .answer = cut(*answer, answer_max)},
        .retry_after =
            *retry > 0 ? std::optional(std::chrono::seconds(std::min<std::int64_t>(*retry, 86'400)))
                       : std::nullopt};
}

Result<std::pair<std::string, webhook::TestReport>> test_of(const Json& one) {
    if (!one.is_object()) {
        return wrong("tests", "objects");
    }
    const auto id = value_of<std::string>(one, "test", "");
    const auto address = value_of<std::string>(one, "address", "");
    const auto tls = value_of<std::string>(one, "tls", "");
    const auto status = value_of<std::int64_t>(one, "status", 0);
    const auto ms = value_of<std::int64_t>(one, "ms", 0);
    const auto error = value_of<std::string>(one, "error", "");
    const auto advice = value_of<std::string>(one, "advice", "");
    if (!id || !address || !tls || !status || !ms || !error || !advice || *status < 0 ||
        *status > 999) {
        return wrong("tests", "objects with test, address, tls, status, ms, error, advice");
    }
    return std::pair(*id, webhook::TestReport{.address = cut(*address, words_max),
                                              .tls = cut(*tls, words_max),
                                              .status = static_cast<int>(*status),
                                              .took = std::chrono::milliseconds(*ms),
                                              .error = cut(*error, words_max),
                                              .advice = cut(*advice, words_max)});
}

}  // namespace

Result<TakeRequest> take_request(std::string_view body) {
    const auto json = object_of(body);
    if (!json) {
        return std::unexpected(json.error());
    }
    const auto gate = value_of<std::string>(*json, "gate", "");
    const auto config = value_of<std::string>(*json, "config", "");
    const auto unusable = value_of<std::string>(*json, "unusable", "");
    const auto room = value_of<std::int64_t>(*json, "room", 0);
    if (!gate || gate->empty() || gate->size() > gate_id_max) {
        return wrong("gate", "the id of the gate's process");
    }
    if (!config) {
        return wrong("config", "the hash of the settings");
    }
    if (!unusable) {
        return wrong("unusable", "why the gate can't send");
    }
    if (!room || *room < 0) {
        return wrong("room", "a number from 0");
    }
    TakeRequest request{.config = *config};
    request.take.gate = *gate;
    request.take.room = static_cast<std::size_t>(*room);
    request.take.unusable = cut(*unusable, words_max);
    const auto holding = list_of(*json, "holding");
    if (!holding) {
        return std::unexpected(holding.error());
    }
    for (const Json& one : *holding) {
        const auto event = event_of(one, "holding");
        if (!event) {
            return std::unexpected(event.error());
        }
        request.take.holding.push_back(*event);
    }
    return request;
}

Result<ResultsRequest> results_request(std::string_view body) {
    const auto json = object_of(body);
    if (!json) {
        return std::unexpected(json.error());
    }
    const auto results = list_of(*json, "results");
    const auto tests = list_of(*json, "tests");
    if (!results || !tests) {
        return std::unexpected(results ? tests.error() : results.error());
    }
    ResultsRequest request;
    for (const Json& one : *results) {
        auto result = result_of(one);
        if (!result) {
            return std::unexpected(std::move(result.error()));
        }
        request.results.push_back(*std::move(result));
    }
    for (const Json& one : *tests) {
        auto test = test_of(one);
        if (!test) {
            return std::unexpected(std::move(test.error()));
        }
        request.tests.push_back(*std::move(test));
    }
    return request;
}

}  // namespace smsrack::api
