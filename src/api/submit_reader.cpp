#include "src/api/submit_reader.hpp"

#include "src/api/client_name.hpp"
#include "src/base/time_text.hpp"
#include "src/ports/client_states.hpp"
#include "src/wire/json_members.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace smsrack::api {
namespace {

using intake::SubmitRequest;
using wire::JsonScalar;

/// What a member's value must be; its setter gets nothing else.
enum class Kind : std::uint8_t { text, number, truth };

/// Gives the sentence of what is wrong, or an empty one.
using Setter = std::string_view (*)(SubmitRequest&, JsonScalar&);

struct Member {
    std::string_view name;
    Kind kind;
    Setter set;
};

std::string text_of(JsonScalar& value) {
    return std::move(std::get<std::string>(value));
}
std::int64_t number_of(const JsonScalar& value) {
    return std::get<std::int64_t>(value);
}

int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char small = static_cast<char>(c | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

std::string_view set_data(SubmitRequest& request, JsonScalar& value) {
    const std::string hex = text_of(value);
    std::string octets;
    octets.reserve(hex.size() / 2);
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        const int high = hex_value(hex[i]);
        const int low = hex_value(hex[i + 1]);
        if (high < 0 || low < 0) {
            return "not hexadecimal";
        }
        octets += static_cast<char>(high * 16 + low);
    }
    request.data = std::move(octets);
    return hex.size() % 2 == 0 ? "" : "an odd number of hexadecimal digits";
}

std::string_view set_not_before(SubmitRequest& request, JsonScalar& value) {
    const auto time = time_of(std::get<std::string>(value));
    if (!time) {
        return "not a time such as 2026-11-21T02:20:18Z";
    }
    request.not_before = *time;
    return "";
}

std::string_view set_port(SubmitRequest& request, const JsonScalar& value,
                          std::uint16_t PortAddress::*port) {
    const std::int64_t number = number_of(value);
    if (number < 0 || number > std::numeric_limits<std::uint16_t>::max()) {
        return "not 0 to 65535";
    }
    if (!request.ports) {
        request.ports.emplace();
    }
    (*request.ports).*port = static_cast<std::uint16_t>(number);
    return "";
}

constexpr std::array members{
    Member{"to", Kind::text,
           [](SubmitRequest& r, JsonScalar& v) { return r.to = text_of(v), std::string_view(); }},
    Member{"text", Kind::text,
           [](SubmitRequest& r, JsonScalar& v) { return r.text = text_of(v), std::string_view(); }},
    Member{"data", Kind::text, set_data},
    Member{"priority", Kind::number,
           [](SubmitRequest& r, JsonScalar& v) {
               return r.priority = number_of(v), std::string_view();
           }},
    Member{"ref", Kind::text,
           [](SubmitRequest& r, JsonScalar& v) {
               r.ref = text_of(v);
               return std::string_view(r.ref.empty() ? "empty" : "");
           }},
    Member{
        "ttl_s", Kind::number,
        [](SubmitRequest& r, JsonScalar& v) { return r.ttl_s = number_of(v), std::string_view(); }},
    Member{"report", Kind::truth,
           [](SubmitRequest& r, JsonScalar& v) {
               return r.report = std::get<bool>(v), std::string_view();
           }},
    Member{"class", Kind::number,
           [](SubmitRequest& r, JsonScalar& v) {
               return r.message_class = number_of(v), std::string_view();
           }},
    Member{"ports.dst", Kind::number,
           [](SubmitRequest& r, JsonScalar& v) { return set_port(r, v, &PortAddress::dst); }},
    Member{"ports.src", Kind::number,
           [](SubmitRequest& r, JsonScalar& v) { return set_port(r, v, &PortAddress::src); }},
    Member{"ports.bits", Kind::number,
           [](SubmitRequest&, JsonScalar& v) {
               return std::string_view(number_of(v) == 16 ? "" : "only 16");
           }},
    Member{"group", Kind::text,
           [](SubmitRequest& r, JsonScalar& v) {
               r.group = text_of(v);
               return std::string_view(r.group.empty() ? "empty" : "");
           }},
    Member{"batch", Kind::text,
           [](SubmitRequest& r, JsonScalar& v) {
               r.batch = text_of(v);
               return std::string_view(r.batch.empty() ? "empty" : "");
           }},
    Member{"client", Kind::text,
           [](SubmitRequest& r, JsonScalar& v) {
               r.client = text_of(v);
               return std::string_view(
                   ports::is_client_name(r.client)
                       ? ""
                       : "not 1 to 32 of letters, digits, \"_\", \"-\" and \".\"");
           }},
    Member{"not_before", Kind::text, set_not_before},
    Member{"allow_duplicate", Kind::truth,
           [](SubmitRequest& r, JsonScalar& v) {
               return r.allow_duplicate = std::get<bool>(v), std::string_view();
           }},
};

std::string_view kind_fault(Kind kind, const JsonScalar& value) {
    switch (kind) {
        case Kind::text:
            return std::holds_alternative<std::string>(value) ? "" : "must be a string";
        case Kind::number:
            return std::holds_alternative<std::int64_t>(value) ? "" : "must be a whole number";
        case Kind::truth:
            return std::holds_alternative<bool>(value) ? "" : "must be true or false";
    }
    return "";
}

Result<> take_member(SubmitRequest& request, std::string_view name, JsonScalar& value) {
    const auto* const member = std::ranges::find(members, name, &Member::name);
    if (member == members.end()) {
        const bool named = name == "ports";
        return fail(Errc::bad_request,
                    named ? "ports: must be an object" : "unknown member: " + std::string(name));
    }
    std::string_view fault = kind_fault(member->kind, value);
    if (fault.empty()) {
        fault = member->set(request, value);
    }
    if (!fault.empty()) {
        return fail(Errc::bad_request, std::string(name) + ": " + std::string(fault));
    }
    return {};
}

}  // namespace

Result<intake::SubmitRequest> read_submit(std::string_view json) {
    SubmitRequest request;
    bool has_to = false;
    bool has_dst = false;
    const auto read = wire::read_members(json, [&](std::string_view name, JsonScalar& value) {
        has_to = has_to || name == "to";
        has_dst = has_dst || name == "ports.dst";
        return take_member(request, name, value);
    });
    if (!read) {
        return std::unexpected(read.error());
    }
    if (!has_to) {
        return fail(Errc::bad_request, "to: missing");
    }
    if (request.ports && !has_dst) {
        return fail(Errc::bad_request, "ports.dst: missing");
    }
    if (request.text.has_value() == request.data.has_value()) {
        return fail(Errc::bad_request,
                    request.text ? "text and data: only one of them" : "text: missing");
    }
    return request;
}

Result<> name_client(intake::SubmitRequest& submit, const wire::HttpRequest& request) {
    const auto name = client_named(request, submit.client.empty()
                                                ? std::nullopt
                                                : std::optional<std::string_view>(submit.client));
    if (!name) {
        return std::unexpected(name.error());
    }
    submit.client = *name;
    return {};
}

Result<> own_submit(intake::SubmitRequest& submit, const Caller& caller) {
    submit.owner = caller.owner;
    return may_use_client(caller, submit.client);
}

Result<intake::SubmitRequest> submit_of(const wire::HttpRequest& request, const Caller& caller) {
    auto submit = read_submit(request.body);
    if (submit) {
        if (auto named = name_client(*submit, request); !named) {
            return std::unexpected(std::move(named.error()));
        }
        if (auto owned = own_submit(*submit, caller); !owned) {
            return std::unexpected(std::move(owned.error()));
        }
    }
    const std::string_view key = request.header("idempotency-key");
    if (!submit || key.empty()) {
        return submit;
    }
    if (!std::ranges::all_of(key, [](char c) { return c >= ' ' && c < 0x7F; })) {
        return fail(Errc::bad_encoding, "Idempotency-Key: not ASCII; `ref` takes any UTF-8");
    }
    if (!submit->ref.empty() && submit->ref != key) {
        return fail(Errc::bad_request, "ref: not the Idempotency-Key of the header");
    }
    submit->ref = key;
    return submit;
}

}  // namespace smsrack::api
