-- What Neovim (0.7 or newer) makes of the server, told on standard output for neovim_test.py.
local root, file, server = os.getenv("PROJECT"), os.getenv("FILE"), os.getenv("ANALYZER")

local function say(...) io.stdout:write(table.concat({ ... }, " ") .. "\n") end

local function wait(what, holds)
  if not vim.wait(120000, holds, 20) then error("in vain: " .. what) end
end

local function show_diagnostics(count)
  wait(count .. " diagnostics", function() return #vim.diagnostic.get(0) == count end)
  for _, each in ipairs(vim.diagnostic.get(0)) do
    say("line " .. each.lnum + 1, each.source, each.code, each.severity)
  end
end

local function run()
  local client = vim.lsp.start_client({
    name = "placecheck", cmd = { server, "--lsp" }, root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = "project" } },
  })
  vim.cmd("edit " .. file)
  vim.lsp.buf_attach_client(0, client)
  show_diagnostics(2)

  vim.api.nvim_win_set_cursor(0, { 3, 3 })
  local encoding = vim.lsp.get_client_by_id(client).offset_encoding
  local params = vim.lsp.util.make_position_params(0, encoding)
  local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", params, 60000)[client].result
  say("hover:", (hover.contents.value:gsub("\n", " ")))

  params = vim.lsp.util.make_range_params(0, encoding)
  params.context = { diagnostics = {}, only = { "quickfix" } }
  local actions = vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 60000)[client].result
  for _, each in ipairs(actions) do
    if each.isPreferred then vim.lsp.util.apply_workspace_edit(each.edit, encoding) end
  end
  say("mended:", vim.api.nvim_get_current_line())
  show_diagnostics(1)
  -- Behind characters that are two units in one encoding, and four in another.
  vim.api.nvim_buf_set_lines(0, 3, 4, true, { "  /* €😀 */ labels = labels.to(1);" })
  show_diagnostics(0)

  vim.lsp.stop_client(client)
  wait("the end of the server", function() return vim.lsp.get_client_by_id(client) == nil end)
  say("done")
end

local is_good, why = pcall(run)
if not is_good then say("failed:", why) end
vim.cmd(is_good and "qall!" or "cquit")
