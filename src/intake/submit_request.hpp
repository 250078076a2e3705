/// One submit as a client says it, what may be in it, and the hashes by which it is known again.
///
/// Errors:  bad_request, with the member's name first in `context`.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/result.hpp"
#include "src/sms/message.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::intake {

/// Place of a part of a longer message that the client has cut itself.
struct PartRequest {
    std::string key = {};   ///< of the longer message: 1 to 64 octets
    std::int64_t of = 0;    ///< 2 to 255
    std::int64_t part = 0;  ///< 1 to `of`
};

/// What a client asked for, as it was written; absent members take the configured defaults.
struct SubmitRequest {
    std::string to;
    std::optional<std::string> text = {};  ///< UTF-8; exactly one of text and data
    std::optional<std::string> data = {};  ///< octets
    std::optional<std::int64_t> priority = {};
    std::string ref = {};
    std::optional<std::int64_t> ttl_s = {};
    std::optional<bool> report = {};
    std::optional<std::int64_t> message_class = {};
    std::optional<PortAddress> ports = {};
    std::optional<PartRequest> concat = {};
    std::optional<std::int64_t> pid = {};  ///< TP-PID
    std::string elements = {};             ///< of the user data header, besides ours; octets
    std::string group = {};
    std::string from = {};       ///< the number of the SIM that shall send; empty: any
    bool from_else_any = false;  ///< where no SIM has it, any one sends
    /// The SIM that shall send, in place of `from`, in the group that the request names.
    std::optional<SimCard> sim = {};
    std::optional<WallTime> not_before = {};
    bool allow_duplicate = false;
    std::string batch = {};   ///< label; empty: none
    std::string client = {};  ///< name of the front end; empty: none
    std::string note = {};    ///< given back with the message and its events; empty: none
    OwnerId owner = {};       ///< account that asks
    /// `client` is who calls; the message has it only if it has made itself known, by listening.
    bool client_if_known = false;
};

/// What a label of messages may contain: it is used in paths and on command lines.
[[nodiscard]] bool is_batch_label(std::string_view text);

/// Each member for itself.
[[nodiscard]] Result<> check_members(const SubmitRequest& request);

/// Of everything the client said, `number` being its recipient as normalised: the same ref with
/// another one is a conflict. Defaults are not in it, so that a reload between two tries makes no
/// conflict.
[[nodiscard]] std::uint64_t fingerprint_of(const SubmitRequest& request, const std::string& number);

/// Of recipient and content.
[[nodiscard]] std::uint64_t text_hash_of(const MessageBody& body);

/// The same when the same message comes again after it was refused.
[[nodiscard]] std::uint64_t identity_of(const NewMessage& message);

}  // namespace smsrack::intake
