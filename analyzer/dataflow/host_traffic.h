// Copies from the host to a device, and operations for which the host waits until a device is done.
#pragma once

#include <string_view>

#include "analyzer/dataflow/call_context.h"
#include "analyzer/dataflow/engine.h"

namespace placecheck::dataflow {

// Of a library's call, which ended in `exits`: tells of both.
void note_host_traffic(CallContext& context, Exits& exits);
// The host reads what a tensor holds, if it is one and on a device.
void note_host_wait(CallContext& context, const Value& tensor, const ir::Range& range,
                    std::string_view operation);
// A tensor of the host, or what a data loader yields, is copied to a device.
void note_upload(CallContext& context, const Value& source, bool is_asynchronous);

}  // namespace placecheck::dataflow
