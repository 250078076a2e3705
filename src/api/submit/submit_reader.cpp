#include "src/api/submit/submit_reader.hpp"

#include "src/api/query.hpp"
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

template <typename T, auto Member>
std::string_view set(SubmitRequest& request, JsonScalar& value) {
    request.*Member = std::move(std::get<T>(value));
    return "";
}

/// Of a text that must say something.
template <auto Member>
std::string_view set_filled(SubmitRequest& request, JsonScalar& value) {
    request.*Member = std::move(std::get<std::string>(value));
    return (request.*Member).empty() ? "empty" : "";
}

int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char small = static_cast<char>(c | 0x20);
    return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

/// Gives the sentence of what is wrong, or an empty one.
std::string_view read_hex(const std::string& hex, std::string& octets) {
    octets.reserve(hex.size() / 2);
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        const int high = hex_value(hex[i]);
        const int low = hex_value(hex[i + 1]);
        if (high < 0 || low < 0) {
            return "not hexadecimal";
        }
        octets += static_cast<char>(high * 16 + low);
    }
    return hex.size() % 2 == 0 ? "" : "an odd number of hexadecimal digits";
}

std::string_view set_data(SubmitRequest& request, JsonScalar& value) {
    return read_hex(std::get<std::string>(value), request.data.emplace());
}

std::string_view set_elements(SubmitRequest& request, JsonScalar& value) {
    const std::string_view fault = read_hex(std::get<std::string>(value), request.elements);
    return fault.empty() && request.elements.empty() ? "empty" : fault;
}

template <typename T, auto Place>
std::string_view set_part(SubmitRequest& request, JsonScalar& value) {
    if (!request.concat) {
        request.concat.emplace();
    }
    (*request.concat).*Place = std::move(std::get<T>(value));
    return "";
}

std::string_view set_not_before(SubmitRequest& request, JsonScalar& value) {
    const auto time = time_of(std::get<std::string>(value));
    if (!time) {
        return "not a time such as 2026-11-21T02:20:18Z";
    }
    request.not_before = *time;
    return "";
}

template <auto Port>
std::string_view set_port(SubmitRequest& request, JsonScalar& value) {
    const std::int64_t number = std::get<std::int64_t>(value);
    if (number < 0 || number > std::numeric_limits<std::uint16_t>::max()) {
        return "not 0 to 65535";
    }
    if (!request.ports) {
        request.ports.emplace();
    }
    (*request.ports).*Port = static_cast<std::uint16_t>(number);
    return "";
}

std::string_view check_port_bits(SubmitRequest& /*request*/, JsonScalar& value) {
    return std::get<std::int64_t>(value) == 16 ? "" : "only 16";
}

std::string_view set_client(SubmitRequest& request, JsonScalar& value) {
    request.client = std::move(std::get<std::string>(value));
    return ports::is_client_name(request.client)
               ? ""
               : "not 1 to 32 of letters, digits, \"_\", \"-\" and \".\"";
}

constexpr std::array members{
    Member{"to", Kind::text, set<std::string, &SubmitRequest::to>},
    Member{"text", Kind::text, set<std::string, &SubmitRequest::text>},
    Member{"data", Kind::text, set_data},
    Member{"priority", Kind::number, set<std::int64_t, &SubmitRequest::priority>},
    Member{"ref", Kind::text, set_filled<&SubmitRequest::ref>},
    Member{"ttl_s", Kind::number, set<std::int64_t, &SubmitRequest::ttl_s>},
    Member{"report", Kind::truth, set<bool, &SubmitRequest::report>},
    Member{"class", Kind::number, set<std::int64_t, &SubmitRequest::message_class>},
    Member{"ports.dst", Kind::number, set_port<&PortAddress::dst>},
    Member{"ports.src", Kind::number, set_port<&PortAddress::src>},
    Member{"ports.bits", Kind::number, check_port_bits},
    Member{"concat.key", Kind::text, set_part<std::string, &intake::PartRequest::key>},
    Member{"concat.of", Kind::number, set_part<std::int64_t, &intake::PartRequest::of>},
    Member{"concat.part", Kind::number, set_part<std::int64_t, &intake::PartRequest::part>},
    Member{"pid", Kind::number, set<std::int64_t, &SubmitRequest::pid>},
    Member{"udh", Kind::text, set_elements},
    Member{"group", Kind::text, set_filled<&SubmitRequest::group>},
    Member{"from", Kind::text, set_filled<&SubmitRequest::from>},
    Member{"from_else_any", Kind::truth, set<bool, &SubmitRequest::from_else_any>},
    Member{"batch", Kind::text, set_filled<&SubmitRequest::batch>},
    Member{"client", Kind::text, set_client},
    Member{"note", Kind::text, set_filled<&SubmitRequest::note>},
    Member{"not_before", Kind::text, set_not_before},
    Member{"allow_duplicate", Kind::truth, set<bool, &SubmitRequest::allow_duplicate>},
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
        const bool named = name == "ports" || name == "concat";
        return fail(Errc::bad_request, named ? std::string(name) + ": must be an object"
                                             : "unknown member: " + std::string(name));
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

constexpr std::array<std::string_view, 6> replacing{"text",       "data", "ttl_s",
                                                    "not_before", "note", "report"};

/// Exactly one of text and data.
Result<> check_content(const SubmitRequest& request) {
    if (request.text.has_value() == request.data.has_value()) {
        return fail(Errc::bad_request,
                    request.text ? "text and data: only one of them" : "text: missing");
    }
    return {};
}

}  // namespace

Result<intake::SubmitRequest> read_replacement(std::string_view json) {
    SubmitRequest request;
    const auto read =
        wire::read_members(json, [&](std::string_view name, JsonScalar& value) -> Result<> {
            if (std::ranges::find(replacing, name) == replacing.end()) {
                return fail(Errc::bad_request, std::string(name) +
                                                   ": can't be replaced; text or data, ttl_s, "
                                                   "not_before, note and report can");
            }
            return take_member(request, name, value);
        });
    if (!read) {
        return std::unexpected(read.error());
    }
    if (auto content = check_content(request); !content) {
        return std::unexpected(std::move(content.error()));
    }
    return request;
}

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
    if (auto content = check_content(request); !content) {
        return std::unexpected(std::move(content.error()));
    }
    return request;
}

Result<> own_submit(intake::SubmitRequest& submit, const Caller& caller) {
    submit.owner = caller.owner;
    if (submit.client.empty() && caller.is_remote()) {
        submit.client = caller.clients.front();
        submit.client_if_known = true;
    }
    return may_use_client(caller, submit.client);
}

Result<intake::SubmitRequest> submit_of(const wire::HttpRequest& request, const Caller& caller) {
    auto submit = read_submit(request.body);
    if (submit) {
        auto name = client_named(request, submit->client.empty()
                                              ? std::nullopt
                                              : std::optional<std::string_view>(submit->client));
        if (!name) {
            return std::unexpected(std::move(name.error()));
        }
        submit->client = *std::move(name);
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
