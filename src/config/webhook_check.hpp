/// Names and checks the [[webhook]]s of a configuration; each setting is already valid by itself.
#pragma once

#include "src/config/table_reader.hpp"
#include "src/config/webhook_settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace smsrack::config {

/// "crm.example" -> "crm-example": a name for a webhook that has none.
[[nodiscard]] std::string webhook_name_of(std::string_view host);

/// Names those without a name.
void name_webhooks(std::vector<WebhookSettings>& webhooks);

/// Adds what is wrong.
void check_webhooks(const std::vector<WebhookSettings>& webhooks, ProblemList& problems);

/// Adds what is valid but probably not intended.
void warn_of_webhooks(const std::vector<WebhookSettings>& webhooks, ProblemList& warnings);

}  // namespace smsrack::config
