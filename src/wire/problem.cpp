#include "src/wire/problem.hpp"

#include "src/wire/http1.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>

namespace smsrack::wire {
namespace {

struct Row {
    Errc code;
    int status;
    Errc shown;  ///< codes that the contract does not have are reported as another one
    std::string_view title;
};

constexpr std::array problem_rows{
    Row{Errc::bad_request, 400, Errc::bad_request, "The request is not understood"},
    Row{Errc::bad_number, 400, Errc::bad_number, "The destination is not a number"},
    Row{Errc::bad_sender, 400, Errc::bad_sender, "No SIM of the rack has this number"},
    Row{Errc::bad_encoding, 400, Errc::bad_encoding, "The text can't be encoded"},
    Row{Errc::too_long, 400, Errc::too_long, "The message is too long"},
    Row{Errc::duplicate, 409, Errc::duplicate, "The same text went to this number a moment ago"},
    Row{Errc::ref_conflict, 409, Errc::ref_conflict, "This ref was used for another message"},
    Row{Errc::overloaded, 503, Errc::overloaded, "Too much work for now"},
    Row{Errc::queue_full, 503, Errc::queue_full, "The queue is full"},
    Row{Errc::unauthorized, 401, Errc::unauthorized, "Who are you?"},
    Row{Errc::forbidden, 403, Errc::forbidden, "Not allowed"},
    Row{Errc::not_found, 404, Errc::not_found, "Not found"},
    Row{Errc::conflict, 409, Errc::conflict, "Too late for that"},
    Row{Errc::payload_too_large, 413, Errc::payload_too_large, "Too large"},
    Row{Errc::storage, 507, Errc::storage, "The disk is full or failing; nothing was accepted"},
    Row{Errc::cluster_away, 503, Errc::cluster_away, "The fleet can't keep it for now"},
    Row{Errc::busy, 503, Errc::overloaded, "Too much work for now"},
    Row{Errc::timeout, 503, Errc::overloaded, "Too much work for now"},
    Row{Errc::outcome_unknown, 503, Errc::outcome_unknown, "Whether it was done is not known"},
    Row{Errc::closed, 503, Errc::overloaded, "The service is stopping"},
    Row{Errc::newer_database, 507, Errc::storage, "The database can't be used"},
    Row{Errc::damaged_database, 507, Errc::storage, "The database can't be used"},
};

/// Our own bug, seen from outside: nothing was accepted.
constexpr Row unforeseen{Errc::internal, 500, Errc::storage, "Something went wrong inside"};

const Row& row_of(Errc code) {
    const auto* const found = std::ranges::find(problem_rows, code, &Row::code);
    return found == problem_rows.end() ? unforeseen : *found;
}

// A queue drains some hundred messages in that time.
constexpr std::int64_t retry_after_s_default = 5;

std::int64_t retry_after_s(const Error& error) {
    if (!error.retry_after) {
        return retry_after_s_default;
    }
    return std::max<std::int64_t>(
        1, std::chrono::ceil<std::chrono::seconds>(*error.retry_after).count());
}

void append_members(JsonWriter& json, int status, std::string_view code, std::string_view title,
                    std::string_view detail) {
    json.member("type", "about:blank");
    json.member("title", title);
    json.member("status", status);
    json.member("detail", detail);
    json.member("code", code);
}

}  // namespace

int status_of(Errc code) {
    return row_of(code).status;
}

void append_problem(JsonWriter& json, const Error& error, std::optional<std::uint64_t> line) {
    const Row& row = row_of(error.code);
    json.object([&] {
        append_members(json, row.status, errc_name(row.shown), row.title, error.context);
        if (row.status == 503) {
            json.member("retry_after_s", retry_after_s(error));
        }
        if (line) {
            json.member("line", *line);
        }
    });
}

HttpResponse problem(const Error& error) {
    HttpResponse response{.status = status_of(error.code),
                          .content_type = "application/problem+json"};
    JsonWriter json(response.body);
    append_problem(json, error);
    if (response.status == 503) {
        response.headers.push_back({"Retry-After", std::to_string(retry_after_s(error))});
    }
    return response;
}

HttpResponse problem(int status, Errc code, std::string_view detail) {
    return problem(status, errc_name(code), status_text(status), detail);
}

HttpResponse problem(int status, std::string_view code, std::string_view title,
                     std::string_view detail) {
    return {.status = status,
            .content_type = "application/problem+json",
            .body = json_object(
                [&](JsonWriter& json) { append_members(json, status, code, title, detail); })};
}

}  // namespace smsrack::wire
