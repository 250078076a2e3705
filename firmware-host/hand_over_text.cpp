#include "firmware-host/hand_over_text.hpp"

#include "src/wire/json.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace smsrack::host {
namespace {

using wire::Json;

std::string hex_of(std::string_view octets) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * octets.size());
    for (const char octet : octets) {
        const auto value = static_cast<unsigned char>(octet);
        hex += digits[value >> 4U];
        hex += digits[value & 15U];
    }
    return hex;
}

std::optional<std::string> octets_of(std::string_view hex) {
    constexpr auto digit = [](char c) {
        return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    if (hex.size() % 2 != 0) {
        return std::nullopt;
    }
    std::string octets;
    octets.reserve(hex.size() / 2);
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        const int high = digit(hex[i]);
        const int low = digit(hex[i + 1]);
        if (high < 0 || low < 0) {
            return std::nullopt;
        }
        octets += static_cast<char>(high * 16 + low);
    }
    return octets;
}

template <typename T>
struct IsId : std::false_type {};
template <typename Tag, typename Rep>
struct IsId<Id<Tag, Rep>> : std::true_type {};

template <typename T>
concept Number = std::integral<T> || std::is_enum_v<T>;

/// Writes each member of a struct into a JSON object.
class Put {
public:
    explicit Put(std::vector<int>& descriptors) : descriptors_(descriptors) {}

    template <typename T>
    void operator()(const char* name, T& value) {
        object_[name] = json_of(value);
    }
    void later(const char* name, auto& value) { (*this)(name, value); }
    void by_kind(const char* name, auto& counts) { (*this)(name, counts); }
    [[nodiscard]] Json take() { return std::move(object_); }

private:
    template <typename T>
    Json json_of(T& value);

    std::vector<int>& descriptors_;
    Json object_ = Json::object();
};

/// Reads them again; the first fault is kept, with its path.
class Get {
public:
    Get(const Json& object, std::string path, std::vector<serial::OwnedFd>& descriptors,
        std::string& fault)
        : object_(object), path_(std::move(path)), descriptors_(descriptors), fault_(fault) {}

    template <typename T>
    void operator()(const char* name, T& value) {
        const std::string path = path_.empty() ? name : path_ + "." + name;
        if (!object_.is_object() || !object_.contains(name)) {
            complain(path);
        } else {
            read(object_[name], path, value);
        }
    }
    /// A member that came to be within this protocol: an older version did not write it, and it stays as it begins.
    void later(const char* name, auto& value) {
        if (object_.is_object() && object_.contains(name)) {
            (*this)(name, value);
        }
    }
    /// One number for each kind. New kinds come last, so an older version wrote fewer: it saw nothing of the others.
    template <std::size_t Kinds>
    void by_kind(const char* name, std::array<std::uint64_t, Kinds>& counts) {
        std::vector<std::uint64_t> told;
        (*this)(name, told);
        if (told.size() > Kinds) {
            return complain(path_.empty() ? name : path_ + "." + name);
        }
        std::ranges::copy(told, counts.begin());
    }

private:
    void complain(const std::string& path) {
        if (fault_.empty()) {
            fault_ = path;
        }
    }
    template <typename T>
    void read(const Json& json, const std::string& path, T& value);

    const Json& object_;
    const std::string path_;
    std::vector<serial::OwnedFd>& descriptors_;
    std::string& fault_;
};

// -- what is in each struct

void members(auto& io, ports::ModemIdentity& it) {
    io("imei", it.imei);
    io("imsi", it.imsi);
    io("iccid", it.iccid);
    io("number", it.number);
    io("operator", it.operator_name);
    io("model", it.model);
    io("revision", it.revision);
}

void members(auto& io, gsm::Facts& it) {
    io("identity", it.identity);
    io("reports_stored", it.reports_stored);
    io("mark_kept", it.mark_kept);
    io("confirms", it.confirms);
    io("registration", it.registration);
    io("signal_dbm", it.signal_dbm);
    io("storage_used", it.storage_used);
    io("storage_total", it.storage_total);
}

void members(auto& io, at::ChannelCarried& it) {
    io("unwritten", it.unwritten);
    io("half_line", it.half_line);
    io("expects_prompt", it.expects_prompt);
    io("busy", it.busy);
    io("text", it.text);
    io("deadline", it.deadline);
    io("free_at", it.free_at);
    io("last_input", it.last_input);
    io("answered", it.answered);
    io("stray_ok", it.stray_ok);
    io("urc_header", it.urc_header);
    io("urc_patience", it.urc_patience);
    io.later("urc_pdu", it.urc_pdu);
}

void members(auto& io, Cause& it) {
    io("kind", it.kind);
    io("code", it.code);
}

void members(auto& io, SubmitOutcome& it) {
    io("kind", it.kind);
    io("tp_mr", it.tp_mr);
    io("has_tp_mr", it.has_tp_mr);
    io("cause", it.cause);
}

void members(auto& io, gsm::SubmitCarried& it) {
    io("state", it.state);
    io("accepted", it.accepted);
    io("slow_at", it.slow_at);
    io("late_expected", it.late_expected);
}

void members(auto& io, gsm::WatchCarried& it) {
    io("registered", it.registered);
    io("due", it.due);
    io("vitals_by", it.vitals_by);
}

void members(auto& io, gsm::LinkCarried& it) {
    io("on", it.on);
    io("off_at", it.off_at);
    io("off_until", it.off_until);
    io("strikes", it.strikes);
    io("last_strike", it.last_strike);
    io("given_up", it.given_up);
}

void members(auto& io, gsm::Place& it) {
    io("memory", it.memory);
    io("index", it.index);
}

void members(auto& io, gsm::Held& it) {
    io("place", it.place);
    io("again", it.again);
    io("came_at", it.came_at);
}

void members(auto& io, gsm::InboxCarried& it) {
    io("acknowledged", it.acknowledged);
    io("unread", it.unread);
    io("selected", it.selected);
    io("sweep_at", it.sweep_at);
    io("storage_used", it.storage_used);
    io("storage_total", it.storage_total);
    io("set_anew", it.set_anew);
}

void members(auto& io, gsm::ModemCarried& it) {
    io("ready", it.ready);
    io("facts", it.facts);
    io("channel", it.channel);
    io("submit", it.submit);
    io("watch", it.watch);
    io("link", it.link);
    io("inbox", it.inbox);
}

void members(auto& io, PortAddress& it) {
    io("dst", it.dst);
    io("src", it.src);
}

void members(auto& io, MessageBody& it) {
    io("to", it.to);
    io("text", it.text);
    io("data", it.data);
    io("is_data", it.is_data);
    io("report", it.report);
    io("class", it.message_class);
    io("ports", it.ports);
}

void members(auto& io, PastAttempt& it) {
    io("segment", it.segment);
    io("outcome", it.outcome);
    io("cause", it.cause);
}

void members(auto& io, OutMessage& it) {
    io("id", it.id);
    io("body", it.body);
    io("level", it.level);
    io("group", it.group);
    io("created_at", it.created_at);
    io("expires_at", it.expires_at);
    io("attempts", it.attempts);
    io("failures", it.failures);
    io("concat_ref", it.concat_ref);
    io("segments", it.segments);
    io("pinned_sim", it.pinned_sim);
    io("past", it.past);
    io("without_validity", it.without_validity);
    io.later("self_sms", it.self_sms);
}

void members(auto& io, queue::OutSlot& it) {
    io("message", it.message);
    io("pdus", it.pdus);
    io("encoded_at", it.encoded_at);
    io("first_segment", it.first_segment);
}

void members(auto& io, line::SegmentCarried& it) {
    io("content", it.content);
    io("segment", it.segment);
    io("attempt", it.attempt);
    io("begun", it.begun);
    io("begun_at", it.begun_at);
}

void members(auto& io, line::GivenUp& it) {
    io("attempt", it.attempt);
    io("message", it.message);
    io("segment", it.segment);
    io("begun_at", it.begun_at);
}

void members(auto& io, line::LineCounts& it) {
    io("accepted", it.accepted);
    io("failed", it.failed);
    io("received", it.received);
    io.by_kind("incidents", it.incidents);
}

void members(auto& io, line::LineCarried& it) {
    io("imei", it.seat.imei);
    io("iccid", it.seat.iccid);
    io("imsi", it.seat.imsi);
    io("sim", it.seat.sim);
    io("in_hand", it.in_hand);
    io("given_up", it.given_up);
    io("rests_until", it.rests_until);
    io("sim_nearly_full", it.sim_nearly_full);
    io("counts", it.counts);
}

void members(auto& io, LineHandOver& it) {
    io("name", it.name);
    io("path", it.path);
    io("baud", it.baud);
    io("port", it.port);
    io("modem", it.modem);
    io("line", it.line);
}

void members(auto& io, wire::AnswerCarried& it) {
    io("mark", it.mark);
    io("keep_alive", it.keep_alive);
    io("head_only", it.head_only);
    io("is_1_1", it.is_1_1);
    io("begun", it.begun);
    io("filler_every", it.filler_every);
    io("filler", it.filler);
}

void members(auto& io, wire::SessionCarried& it) {
    io("input", it.input);
    io("output", it.output);
    io("closing", it.closing);
    io("answer", it.answer);
}

void members(auto& io, ClientHandOver& it) {
    io("fd", it.fd);
    io("session", it.session);
}

void members(auto& io, overload::ResponseCarried& it) {
    io("at", it.at);
    io("took", it.took);
}

void members(auto& io, overload::SubmitCarried& it) {
    io("at", it.at);
    io("occupied", it.occupied);
    io("sent", it.sent);
}

void members(auto& io, overload::PromisesCarried& it) {
    io("waiting", it.waiting);
    io("come_back", it.come_back);
    io("care", it.care);
}

void members(auto& io, overload::ProbeCarried& it) {
    io("came", it.came);
    io("queued", it.queued);
    io("arrived", it.arrived);
}

void members(auto& io, stats::DecayingRate::Carried& it) {
    io("at", it.at);
    io("sum", it.sum);
    io("seen_s", it.seen_s);
}

void members(auto& io, overload::LevelCarried& it) {
    io("responses", it.responses);
    io("accepted", it.accepted);
    io("arrived", it.arrived);
    io("promises", it.promises);
    io("probe", it.probe);
}

void members(auto& io, overload::GroupCarried& it) {
    io("name", it.name);
    io("submits", it.submits);
    io("no_line_since", it.no_line_since);
    io("levels", it.levels);
}

void members(auto& io, dispatch::CoolingCarried& it) {
    io("sim", it.sim);
    io("refusals", it.refusals);
    io("pauses", it.pauses);
    io("until", it.until);
}

void members(auto& io, scaling::RateCarried& it) {
    io("rate", it.rate);
    io("messages", it.messages);
    io("seconds", it.seconds);
}

void members(auto& io, WakeCarried& it) {
    io("line", it.line);
    io("took", it.took);
}

void members(auto& io, RackLearned& it) {
    io("groups", it.groups);
    io("cooling", it.cooling);
    io.later("scaling", it.scaling);
    io.later("wakes", it.wakes);
}

void members(auto& io, notify::FrontEndCarried& it) {
    io("name", it.name);
    io("id", it.id);
    io("stop_at", it.stop_at);
    io("since", it.since);
    io("heard_at", it.heard_at);
}

void members(auto& io, HandOver& it) {
    io("lock", it.lock);
    io("listener", it.listener);
    io("owns_socket_file", it.owns_socket_file);
    io("lines", it.lines);
    io("clients", it.clients);
    io("version", it.version);
    io("held_since", it.held_since);
    io("store_closed", it.store_closed);
    io.later("learned", it.learned);
    io.later("away", it.away);
}

// -- values

template <typename T>
Json Put::json_of(T& value) {
    if constexpr (std::is_same_v<T, bool> || std::floating_point<T>) {
        return value;
    } else if constexpr (std::is_same_v<T, std::string>) {
        return hex_of(value);
    } else if constexpr (std::is_same_v<T, serial::OwnedFd>) {
        if (value.get() < 0) {
            return -1;
        }
        descriptors_.push_back(value.get());
        return descriptors_.size() - 1;
    } else if constexpr (Number<T>) {
        return static_cast<std::int64_t>(value);
    } else if constexpr (IsId<T>::value) {
        return static_cast<std::int64_t>(value.value);
    } else if constexpr (requires { value.time_since_epoch(); }) {
        return static_cast<std::int64_t>(value.time_since_epoch().count());
    } else if constexpr (requires { value.count(); }) {
        return static_cast<std::int64_t>(value.count());
    } else if constexpr (requires {
                             *value;
                             value.reset();
                         }) {
        return value ? json_of(*value) : Json();
    } else if constexpr (requires { value.begin(); }) {
        Json array = Json::array();
        for (auto& element : value) {
            array.push_back(json_of(element));
        }
        return array;
    } else {
        Put inner(descriptors_);
        members(inner, value);
        return inner.take();
    }
}

template <typename T>
void Get::read(const Json& json, const std::string& path, T& value) {
    const auto number = [&]() -> std::int64_t {
        if (!json.is_number_integer()) {
            complain(path);
            return 0;
        }
        return json.get<std::int64_t>();
    };
    if constexpr (std::is_same_v<T, bool>) {
        value = json.is_boolean() && json.get<bool>();
        return json.is_boolean() ? void() : complain(path);
    } else if constexpr (std::is_same_v<T, std::string>) {
        auto octets =
            json.is_string() ? octets_of(json.get_ref<const std::string&>()) : std::nullopt;
        if (!octets) {
            return complain(path);
        }
        value = *std::move(octets);
    } else if constexpr (std::is_same_v<T, serial::OwnedFd>) {
        const std::int64_t place = number();
        if (place >= 0 && static_cast<std::size_t>(place) < descriptors_.size()) {
            value = std::move(descriptors_[static_cast<std::size_t>(place)]);
        }
        return place < 0 || value.get() >= 0 ? void() : complain(path);
    } else if constexpr (std::floating_point<T>) {
        return json.is_number() ? void(value = json.get<T>()) : complain(path);
    } else if constexpr (Number<T>) {
        const std::int64_t wide = number();
        value = static_cast<T>(wide);
        return static_cast<std::int64_t>(value) == wide ? void() : complain(path);
    } else if constexpr (IsId<T>::value) {
        read(json, path, value.value);
    } else if constexpr (requires { value.time_since_epoch(); }) {
        value = T(typename T::duration(number()));
    } else if constexpr (requires { value.count(); }) {
        value = T(number());
    } else if constexpr (requires { typename T::element_type; }) {  // shared_ptr
        if (!json.is_null()) {
            value = std::make_shared<typename T::element_type>();
            read(json, path, *value);
        }
    } else if constexpr (requires {
                             value.emplace();
                             *value;
                         }) {
        if (!json.is_null()) {
            read(json, path, value.emplace());
        }
    } else if constexpr (requires { value.push_back(std::move(value.front())); }) {
        if (!json.is_array()) {
            return complain(path);
        }
        for (std::size_t i = 0; i < json.size(); ++i) {
            read(json[i], fmt::format("{}[{}]", path, i), value.emplace_back());
        }
    } else if constexpr (requires { std::tuple_size<T>::value; }) {
        if (!json.is_array() || json.size() != value.size()) {
            return complain(path);
        }
        for (std::size_t i = 0; i < value.size(); ++i) {
            read(json[i], fmt::format("{}[{}]", path, i), value.at(i));
        }
    } else {
        Get inner(json, path, descriptors_, fault_);
        members(inner, value);
    }
}

}  // namespace

HandOverText encode(const HandOver& hand_over) {
    HandOverText out;
    Put put(out.descriptors);
    members(put, const_cast<HandOver&>(hand_over));  // one list of members for both directions
    Json whole = put.take();
    whole["protocol"] = hand_over_protocol;
    out.text = whole.dump();
    return out;
}

Result<HandOver> decode(std::string_view text, std::vector<serial::OwnedFd> descriptors) {
    const auto json = wire::parse_json(text);
    if (!json || !json->is_object()) {
        return fail(Errc::protocol, "hand-over: the text is incomplete or malformed");
    }
    if (const auto protocol = json->find("protocol");
        protocol == json->end() || *protocol != hand_over_protocol) {
        return fail(Errc::protocol,
                    fmt::format("hand-over: expected protocol {}", hand_over_protocol));
    }
    HandOver hand_over;
    std::string fault;
    Get get(*json, "", descriptors, fault);
    members(get, hand_over);
    if (!fault.empty()) {
        return fail(Errc::protocol, "hand-over: " + fault + " is missing or invalid");
    }
    return hand_over;
}

}  // namespace smsrack::host
