#include "firmware-host/gate/webhook/webhook_files.hpp"

#include "firmware-host/setup/text_file.hpp"

#include <string>
#include <utility>

namespace smsrack::gate {
namespace {

template <typename Read>
auto read_file_with(Read read, const std::string& file) -> decltype(read("")) {
    const auto text = host::read_text_file(file, posting::key_file_bytes_max);
    if (!text) {
        return std::unexpected(text.error());
    }
    auto keys = read(*text);
    if (!keys) {
        keys.error().context = file + ": " + keys.error().context;
    }
    return keys;
}

}  // namespace

Result<posting::ReceiverKeys> read_keys(const config::WebhookSettings& webhook) {
    posting::ReceiverKeys keys;
    if (webhook.secret) {
        auto secrets = read_file_with(posting::secrets_of, webhook.secret->file);
        if (!secrets) {
            return std::unexpected(std::move(secrets.error()));
        }
        keys.secrets = *std::move(secrets);
    }
    if (webhook.key) {
        const auto key = read_file_with(posting::signing_key_of, webhook.key->file);
        if (!key) {
            return std::unexpected(key.error());
        }
        keys.key = *key;
    }
    return keys;
}

}  // namespace smsrack::gate
